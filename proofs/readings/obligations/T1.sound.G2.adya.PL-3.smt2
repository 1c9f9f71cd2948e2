; T1.sound.G2.adya.PL-3
; statement: no schedule at PL-3 shows G2
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some (anti ; dsg⁺) ∩ id_txn and empty (anti ; dsg⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
; assumed: some (anti ; dsg⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1))))
; assumed: empty (anti ; dsg⁺) ∩ id_txn
(assert (not (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1)))))
(check-sat)
