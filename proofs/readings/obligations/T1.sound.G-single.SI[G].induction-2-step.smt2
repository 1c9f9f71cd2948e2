; T1.sound.G-single.SI[G].induction-2-step
; statement: no schedule at SI[G] shows G-single
; role: induction step (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies ct3(t) < st3(u)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st3 (Transaction) Time)
(declare-fun ct3 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st3 t1) (ct3 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct3 t1) (st3 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st3 t1) (ct3 t2))))))
; induction step, denied: (dep)⁺(t, u) implies ct3(t) < st3(u)
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and (earlier (ct3 t1) (st3 t2)) (dep t2 t3) (not (earlier (ct3 t1) (st3 t3))))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
