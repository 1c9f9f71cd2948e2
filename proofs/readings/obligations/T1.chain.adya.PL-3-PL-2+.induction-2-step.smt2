; T1.chain.adya.PL-3-PL-2+.induction-2-step
; statement: every schedule at adya:PL-3 is at adya:PL-2+
; role: induction step (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies (dsg)⁺
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; induction step, denied: (dep)⁺(t, u) implies (dsg)⁺
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and (|plus dsg| t1 t2) (dep t2 t3) (not (|plus dsg| t1 t3)))))
; closure of dsg: it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (|plus dsg| t1 t2))))
; closure of dsg: it is transitive
(assert (forall ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (=> (and (|plus dsg| t1 t2) (|plus dsg| t2 t3)) (|plus dsg| t1 t3))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
(check-sat)
