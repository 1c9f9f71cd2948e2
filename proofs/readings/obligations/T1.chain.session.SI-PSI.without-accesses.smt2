; T1.chain.session.SI-PSI.without-accesses
; statement: every schedule at session:SI is at session:PSI
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and acyclic (session ∪ txn(read_dependency) ∪ txn(ww)) ; anti? and not irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |plus session or txn(read_dependency) or txn(ww)| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
; assumed: not irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(assert (not
          (forall ((t1 Transaction))
            (not
              (exists ((t2 Transaction))
                (and (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (= t2 t1)))))))
; induction lemma: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
(check-sat)
