; semiring.order-reflexive
; statement: a ⪯ a: the first member of a sum is below it (from: a ⊕ 0 = a)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
(declare-fun zero () K)
; plus-identity: a ⊕ 0 = a
(assert (forall ((a K)) (= (plus a zero) a)))
; denied: a ⪯ a: the first member of a sum is below it
(assert (not (forall ((a K)) (exists ((rest K)) (= (plus a rest) a)))))
(check-sat)
