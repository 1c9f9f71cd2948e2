; T1.chain.session.SER-PSI.without-accesses.induction-2-base
; statement: every schedule at session:SER is at session:PSI
; role: induction base (hypotheses: edges by name)
; shows: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank2(t) < rank2(v) for v = u and for every v with anti(u, v)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank2 (Transaction) Time)
; assumed: acyclic session ∪ txn(read_dependency) ∪ txn(ww) ∪ anti
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (session t1 t2) (earlier (rank2 t1) (rank2 t2)))))
; induction base, denied: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank2(t) < rank2(v) for v = u and for every v with anti(u, v)
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and (session t1 t2) (not (earlier (rank2 t1) (rank2 t2))))))
(check-sat)
