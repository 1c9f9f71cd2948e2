; T1.chain.session.SER-PSI.induction-2-base
; statement: every schedule at session:SER is at session:PSI
; role: induction base (hypotheses: edges by name)
; shows: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank2(t) < rank2(v) for v = u and for every v with anti(u, v)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank2 (Transaction) Time)
; assumed: acyclic session ∪ txn(read_dependency) ∪ txn(ww) ∪ anti
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2) (anti t1 t2))
            (earlier (rank2 t1) (rank2 t2)))))
; induction base, denied: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank2(t) < rank2(v) for v = u and for every v with anti(u, v)
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
            (not
              (and
                (earlier (rank2 t1) (rank2 t2))
                (forall ((t3 Transaction)) (=> (anti t2 t3) (earlier (rank2 t1) (rank2 t3)))))))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
