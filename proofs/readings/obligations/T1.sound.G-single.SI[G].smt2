; T1.sound.G-single.SI[G]
; statement: no schedule at SI[G] shows G-single
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and acyclic dep ; anti? and some (anti ; dep⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st3 (Transaction) Time)
(declare-fun ct3 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dep| (Transaction Transaction) Bool)
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st3 t1) (ct3 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct3 t1) (st3 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st3 t1) (ct3 t2))))))
; assumed: some (anti ; dep⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dep| t2 t1))))
; induction lemma: (dep)⁺(t, u) implies ct3(t) < st3(u)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus dep| t1 t2) (earlier (ct3 t1) (st3 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
