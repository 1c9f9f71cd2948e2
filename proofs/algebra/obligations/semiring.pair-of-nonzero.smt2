; semiring.pair-of-nonzero
; statement: some nonzero a and b have not a ⪯ b (from: a ⪯ b and b ⪯ a imply a = b (K is naturally ordered); 1 ≠ 0; there is an element other than 0 and 1)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
(declare-fun one () K)
(declare-fun zero () K)
; order-antisymmetric: a ⪯ b and b ⪯ a imply a = b (K is naturally ordered)
(assert (forall ((a K) (b K))
          (=> (and (exists ((rest K)) (= (plus a rest) b)) (exists ((rest K)) (= (plus b rest) a))) (= a b))))
; nontrivial: 1 ≠ 0
(assert (not (= one zero)))
; a-third-element: there is an element other than 0 and 1
(assert (exists ((a K)) (and (not (= a zero)) (not (= a one)))))
; denied: some nonzero a and b have not a ⪯ b
(assert (not
          (exists ((a K) (b K))
            (and (not (= a zero)) (not (= b zero)) (not (exists ((rest K)) (= (plus a rest) b)))))))
(check-sat)
