; T1.sound.G0.session.RC
; statement: no schedule at RC shows G0
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and empty (anti_dependency ; same_txn ; read_dependency) ∩ program_order⁻¹ and not acyclic txn(ww)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |plus txn(ww)| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
; assumed: not acyclic txn(ww)
(assert (exists ((t1 Transaction)) (|plus txn(ww)| t1 t1)))
; induction lemma: (txn(ww))⁺(t, u) implies rank1(t) < rank1(u)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus txn(ww)| t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
(check-sat)
