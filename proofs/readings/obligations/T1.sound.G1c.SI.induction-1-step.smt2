; T1.sound.G1c.SI.induction-1-step
; statement: no schedule at SI shows G1c
; role: induction step (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies ct1(t) < st1(u)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st1 (Transaction) Time)
(declare-fun ct1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st1 t1) (ct1 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct1 t1) (st1 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st1 t1) (ct1 t2))))))
; induction step, denied: (dep)⁺(t, u) implies ct1(t) < st1(u)
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and (earlier (ct1 t1) (st1 t2)) (dep t2 t3) (not (earlier (ct1 t1) (st1 t3))))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
