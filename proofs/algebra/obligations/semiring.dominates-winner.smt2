; semiring.dominates-winner
; statement: a ⪯ a ⊕ b: and its winner (from: nothing)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
; denied: a ⪯ a ⊕ b: and its winner
(assert (not (forall ((a K) (b K)) (exists ((rest K)) (= (plus a rest) (plus a b))))))
(check-sat)
