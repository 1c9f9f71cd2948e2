; T1.sound.G2.SR
; statement: no schedule at SR shows G2
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dsg and some (anti ; dsg⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun dep (Transaction Transaction) Bool)
; assumed: acyclic dsg
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; assumed: some (anti ; dsg⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1))))
; induction lemma: (dsg)⁺(t, u) implies rank1(t) < rank1(u)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus dsg| t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
