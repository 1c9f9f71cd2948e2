; T1.sound.P3.SR.induction-1-base
; statement: no schedule at SR shows P3
; role: induction base (hypotheses: edges by name)
; shows: (dsg)⁺(t, u) implies rank1(t) < rank1(u)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
; assumed: acyclic dsg
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; induction base, denied: (dsg)⁺(t, u) implies rank1(t) < rank1(u)
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (dsg t1 t2) (not (earlier (rank1 t1) (rank1 t2))))))
(check-sat)
