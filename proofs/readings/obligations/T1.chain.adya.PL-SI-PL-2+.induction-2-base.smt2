; T1.chain.adya.PL-SI-PL-2+.induction-2-base
; statement: every schedule at adya:PL-SI is at adya:PL-2+
; role: induction base (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies (dep ∪ start)⁺
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun |plus dep or start| (Transaction Transaction) Bool)
(declare-fun start (Transaction Transaction) Bool)
; induction base, denied: (dep)⁺(t, u) implies (dep ∪ start)⁺
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (dep t1 t2) (not (|plus dep or start| t1 t2)))))
; closure of dep ∪ start: it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (or (dep t1 t2) (start t1 t2)) (|plus dep or start| t1 t2))))
(check-sat)
