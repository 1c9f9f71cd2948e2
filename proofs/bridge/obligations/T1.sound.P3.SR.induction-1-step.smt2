; T1.sound.P3.SR.induction-1-step
; statement: no schedule at SR shows P3
; role: induction step (hypotheses: edges by name)
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
; induction step, denied: (dsg)⁺(t, u) implies rank1(t) < rank1(u)
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and (earlier (rank1 t1) (rank1 t2)) (dsg t2 t3) (not (earlier (rank1 t1) (rank1 t3))))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
