; T1.sound.G2-item.SR[G]
; statement: no schedule at SR[G] shows G2-item
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and acyclic dsg and some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |txn(rw)| (Transaction Transaction) Bool)
(declare-fun |plus dep or txn(rw)| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank3 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
; assumed: some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t1))))
; induction lemma: (dep ∪ txn(rw))⁺(t, u) implies rank3(t) < rank3(u)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus dep or txn(rw)| t1 t2) (earlier (rank3 t1) (rank3 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; closure of dep ∪ txn(rw): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (or (dep t1 t2) (|txn(rw)| t1 t2)) (|plus dep or txn(rw)| t1 t2))))
; closure of dep ∪ txn(rw): it is transitive
(assert (forall ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (=> (and (|plus dep or txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t3)) (|plus dep or txn(rw)| t1 t3))))
(check-sat)
