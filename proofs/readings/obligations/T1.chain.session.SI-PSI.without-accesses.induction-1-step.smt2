; T1.chain.session.SI-PSI.without-accesses.induction-1-step
; statement: every schedule at session:SI is at session:PSI
; role: induction step (hypotheses: edges by name)
; shows: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
; assumed: acyclic session ∪ txn(read_dependency) ∪ txn(ww)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (session t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; induction step, denied: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and (earlier (rank1 t1) (rank1 t2)) (session t2 t3) (not (earlier (rank1 t1) (rank1 t3))))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
