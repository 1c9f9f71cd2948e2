; T1.sound.G2-item.adya.PL-2.99
; statement: no schedule at PL-2.99 shows G2-item
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn and empty (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun |txn(rw)| (Transaction Transaction) Bool)
(declare-fun |plus dep or txn(rw)| (Transaction Transaction) Bool)
; assumed: some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t1))))
; assumed: empty (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(assert (not
          (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t1)))))
(check-sat)
