; T1.chain.session.SI-PSI.induction-2-base
; statement: every schedule at session:SI is at session:PSI
; role: induction base (hypotheses: edges by name)
; shows: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies ct2(t) < st2(u)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st2 (Transaction) Time)
(declare-fun ct2 (Transaction) Time)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: acyclic (session ∪ txn(read_dependency) ∪ txn(ww)) ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st2 t1) (ct2 t1)))
          (forall ((t1 Transaction) (t2 Transaction))
            (=>
              (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
              (earlier (ct2 t1) (st2 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st2 t1) (ct2 t2))))))
; induction base, denied: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies ct2(t) < st2(u)
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
            (not (earlier (ct2 t1) (st2 t2))))))
(check-sat)
