; semiring.order-transitive
; statement: a ⪯ b and b ⪯ c imply a ⪯ c (from: (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
; plus-associative: (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)
(assert (forall ((a K) (b K) (c K)) (= (plus (plus a b) c) (plus a (plus b c)))))
; denied: a ⪯ b and b ⪯ c imply a ⪯ c
(assert (not
          (forall ((a K) (b K) (c K))
            (=>
              (and (exists ((rest K)) (= (plus a rest) b)) (exists ((rest K)) (= (plus b rest) c)))
              (exists ((rest K)) (= (plus a rest) c))))))
(check-sat)
