; T1.sound.G2.SR[G]
; statement: no schedule at SR[G] shows G2
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and acyclic dsg and some (anti ; dsg⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank3 (Transaction) Time)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun dep (Transaction Transaction) Bool)
; assumed: acyclic dsg
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (earlier (rank3 t1) (rank3 t2)))))
; assumed: some (anti ; dsg⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1))))
; induction lemma: (dsg)⁺(t, u) implies rank3(t) < rank3(u)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus dsg| t1 t2) (earlier (rank3 t1) (rank3 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
(check-sat)
