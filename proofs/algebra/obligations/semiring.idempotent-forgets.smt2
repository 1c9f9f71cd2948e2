; semiring.idempotent-forgets
; statement: some a and b are two, and a ⊕ c = b ⊕ c for some c: a is no function of the sum and the other summand (from: a ⊕ b = b ⊕ a; a ⊕ 0 = a; a ⊕ a = a; 1 ≠ 0)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
(declare-fun zero () K)
(declare-fun one () K)
; plus-commutative: a ⊕ b = b ⊕ a
(assert (forall ((a K) (b K)) (= (plus a b) (plus b a))))
; plus-identity: a ⊕ 0 = a
(assert (forall ((a K)) (= (plus a zero) a)))
; plus-idempotent: a ⊕ a = a
(assert (forall ((a K)) (= (plus a a) a)))
; nontrivial: 1 ≠ 0
(assert (not (= one zero)))
; denied: some a and b are two, and a ⊕ c = b ⊕ c for some c: a is no function of the sum and the other summand
(assert (not (exists ((a K) (b K) (c K)) (and (not (= a b)) (= (plus a c) (plus b c))))))
(check-sat)
