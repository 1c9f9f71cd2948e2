; T1.sound.G2-item.session.SER
; statement: no schedule at SER shows G2-item
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and acyclic session ∪ txn(read_dependency) ∪ txn(ww) ∪ anti and some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |txn(rw)| (Transaction Transaction) Bool)
(declare-fun |plus dep or txn(rw)| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank2 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
; assumed: some (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t1))))
; induction lemma: (dep ∪ txn(rw))⁺(t, u) implies rank2(t) < rank2(u)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus dep or txn(rw)| t1 t2) (earlier (rank2 t1) (rank2 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
; closure of dep ∪ txn(rw): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (or (dep t1 t2) (|txn(rw)| t1 t2)) (|plus dep or txn(rw)| t1 t2))))
(check-sat)
