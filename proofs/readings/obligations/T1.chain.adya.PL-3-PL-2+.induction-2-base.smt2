; T1.chain.adya.PL-3-PL-2+.induction-2-base
; statement: every schedule at adya:PL-3 is at adya:PL-2+
; role: induction base (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies (dsg)⁺
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; induction base, denied: (dep)⁺(t, u) implies (dsg)⁺
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (dep t1 t2) (not (|plus dsg| t1 t2)))))
; closure of dsg: it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (|plus dsg| t1 t2))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
(check-sat)
