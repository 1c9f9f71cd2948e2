; semiring.sum-step
; statement: a ⪯ b implies a ⪯ b ⊕ c: what is below a sum stays below it when a member is added (step of the induction over n-ary sums and over chains of operators) (from: (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort K 0)
(declare-fun plus (K K) K)
; plus-associative: (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)
(assert (forall ((a K) (b K) (c K)) (= (plus (plus a b) c) (plus a (plus b c)))))
; denied: a ⪯ b implies a ⪯ b ⊕ c: what is below a sum stays below it when a member is added (step of the induction over n-ary sums and over chains of operators)
(assert (not
          (forall ((a K) (b K) (c K))
            (=> (exists ((rest K)) (= (plus a rest) b)) (exists ((rest K)) (= (plus a rest) (plus b c)))))))
(check-sat)
