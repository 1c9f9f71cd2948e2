; semiring.one-not-below-zero
; statement: not 1 ⪯ 0 (from: a ⊕ b = b ⊕ a; a ⊕ 0 = a; a ⪯ b and b ⪯ a imply a = b (K is naturally ordered); 1 ≠ 0)
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
; order-antisymmetric: a ⪯ b and b ⪯ a imply a = b (K is naturally ordered)
(assert (forall ((a K) (b K))
          (=> (and (exists ((rest K)) (= (plus a rest) b)) (exists ((rest K)) (= (plus b rest) a))) (= a b))))
; nontrivial: 1 ≠ 0
(assert (not (= one zero)))
; denied: not 1 ⪯ 0
(assert (exists ((rest K)) (= (plus one rest) zero)))
(check-sat)
