; T1.sound.G0.SI
; statement: no schedule at SI shows G0
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dep ; anti? and not acyclic txn(ww)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st1 (Transaction) Time)
(declare-fun ct1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus txn(ww)| (Transaction Transaction) Bool)
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st1 t1) (ct1 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct1 t1) (st1 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st1 t1) (ct1 t2))))))
; assumed: not acyclic txn(ww)
(assert (exists ((t1 Transaction)) (|plus txn(ww)| t1 t1)))
; induction lemma: (txn(ww))⁺(t, u) implies ct1(t) < st1(u)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus txn(ww)| t1 t2) (earlier (ct1 t1) (st1 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
