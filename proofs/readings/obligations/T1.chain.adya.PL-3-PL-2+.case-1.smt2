; T1.chain.adya.PL-3-PL-2+.case-1
; statement: every schedule at adya:PL-3 is at adya:PL-2+
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and empty (anti ; dsg⁺) ∩ id_txn and some (anti ; dep⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun |plus dep| (Transaction Transaction) Bool)
; assumed: empty (anti ; dsg⁺) ∩ id_txn
(assert (not (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1)))))
; assumed: some (anti ; dep⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dep| t2 t1))))
; induction lemma: (dep)⁺(t, u) implies (dsg)⁺
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus dep| t1 t2) (|plus dsg| t1 t2))))
(check-sat)
