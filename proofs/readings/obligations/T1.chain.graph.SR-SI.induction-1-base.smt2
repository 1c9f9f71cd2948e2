; T1.chain.graph.SR-SI.induction-1-base
; statement: every schedule at graph:SR is at graph:SI
; role: induction base (hypotheses: edges by name)
; shows: (dep ; anti?)⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: acyclic dsg
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; induction base, denied: (dep ; anti?)⁺(t, u) implies rank1(t) < rank1(v) for v = u and for every v with anti(u, v)
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and
            (exists ((t3 Transaction)) (and (dep t1 t3) (or (anti t3 t2) (= t3 t2))))
            (not
              (and
                (earlier (rank1 t1) (rank1 t2))
                (forall ((t4 Transaction)) (=> (anti t2 t4) (earlier (rank1 t1) (rank1 t4)))))))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
