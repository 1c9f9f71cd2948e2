; T1.chain.graph.SR-SI.case-1
; statement: every schedule at graph:SR is at graph:SI
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dsg and not acyclic dep ; anti?
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |plus dep ; anti?| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: not acyclic dep ; anti?
(assert (exists ((t1 Transaction)) (|plus dep ; anti?| t1 t1)))
; induction lemma: (dep ; anti?)⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (|plus dep ; anti?| t1 t2)
            (and
              (earlier (rank1 t1) (rank1 t2))
              (forall ((t3 Transaction)) (=> (anti t2 t3) (earlier (rank1 t1) (rank1 t3))))))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
(check-sat)
