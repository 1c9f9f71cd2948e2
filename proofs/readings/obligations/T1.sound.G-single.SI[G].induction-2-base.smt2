; T1.sound.G-single.SI[G].induction-2-base
; statement: no schedule at SI[G] shows G-single
; role: induction base (hypotheses: edges by name)
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
; induction base, denied: (dep)⁺(t, u) implies ct3(t) < st3(u)
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (dep t1 t2) (not (earlier (ct3 t1) (st3 t2))))))
(check-sat)
