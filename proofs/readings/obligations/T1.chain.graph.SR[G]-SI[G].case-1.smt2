; T1.chain.graph.SR[G]-SI[G].case-1
; statement: every schedule at graph:SR[G] is at graph:SI[G]
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and acyclic dsg and not acyclic dep ; anti?
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun |plus dep ; anti?| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank3 (Transaction) Time)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: not acyclic dep ; anti?
(assert (exists ((t1 Transaction)) (|plus dep ; anti?| t1 t1)))
; induction lemma: (dep ; anti?)⁺(t, u) implies rank3(t) < rank3(v) for v = u and for every v with anti(u, v)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (|plus dep ; anti?| t1 t2)
            (and
              (earlier (rank3 t1) (rank3 t2))
              (forall ((t3 Transaction)) (=> (anti t2 t3) (earlier (rank3 t1) (rank3 t3))))))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
(check-sat)
