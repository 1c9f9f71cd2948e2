; T1.sound.G-single.session.PSI
; statement: no schedule at PSI shows G-single
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti? and some (anti ; dep⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun |plus session or txn(read_dependency) or txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dep| (Transaction Transaction) Bool)
; assumed: irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(assert (forall ((t1 Transaction))
          (not
            (exists ((t2 Transaction))
              (and (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (or (anti t2 t1) (= t2 t1)))))))
; assumed: some (anti ; dep⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dep| t2 t1))))
; induction lemma: (dep)⁺(t, u) implies (session ∪ txn(read_dependency) ∪ txn(ww))⁺
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus dep| t1 t2) (|plus session or txn(read_dependency) or txn(ww)| t1 t2))))
(check-sat)
