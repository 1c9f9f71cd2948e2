; semiring.sum-forgets
; statement: a ≠ b implies that a ⊕ b has a summand other than a: a is no function of the sum alone (from: a ⊕ b = b ⊕ a)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
; plus-commutative: a ⊕ b = b ⊕ a
(assert (forall ((a K) (b K)) (= (plus a b) (plus b a))))
; denied: a ≠ b implies that a ⊕ b has a summand other than a: a is no function of the sum alone
(assert (not
          (forall ((a K) (b K))
            (=> (not (= a b)) (exists ((c K) (d K)) (and (= (plus c d) (plus a b)) (not (= c a))))))))
(check-sat)
