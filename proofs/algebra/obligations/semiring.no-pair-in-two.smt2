; semiring.no-pair-in-two
; statement: no nonzero a and b have not a ⪯ b (from: a ⊕ 0 = a; every element is 0 or 1)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
(declare-fun zero () K)
(declare-fun one () K)
; plus-identity: a ⊕ 0 = a
(assert (forall ((a K)) (= (plus a zero) a)))
; no-third-element: every element is 0 or 1
(assert (forall ((a K)) (or (= a zero) (= a one))))
; denied: no nonzero a and b have not a ⪯ b
(assert (exists ((a K) (b K))
          (and (not (= a zero)) (not (= b zero)) (not (exists ((rest K)) (= (plus a rest) b))))))
(check-sat)
