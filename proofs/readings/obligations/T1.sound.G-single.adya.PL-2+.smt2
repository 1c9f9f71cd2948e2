; T1.sound.G-single.adya.PL-2+
; statement: no schedule at PL-2+ shows G-single
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some (anti ; dep⁺) ∩ id_txn and empty (anti ; dep⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dep| (Transaction Transaction) Bool)
; assumed: some (anti ; dep⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dep| t2 t1))))
; assumed: empty (anti ; dep⁺) ∩ id_txn
(assert (not (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dep| t2 t1)))))
(check-sat)
