; semiring.dominates-loser
; statement: b ⪯ a ⊕ b: an audit tuple dominates its loser (from: a ⊕ b = b ⊕ a)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
; plus-commutative: a ⊕ b = b ⊕ a
(assert (forall ((a K) (b K)) (= (plus a b) (plus b a))))
; denied: b ⪯ a ⊕ b: an audit tuple dominates its loser
(assert (not (forall ((a K) (b K)) (exists ((rest K)) (= (plus b rest) (plus a b))))))
(check-sat)
