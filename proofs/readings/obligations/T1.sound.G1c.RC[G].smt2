; T1.sound.G1c.RC[G]
; no schedule at RC[G] shows G1c
; by definition: the named formulas alone contradict each other
(set-logic UF)
; holds_1: acyclic txn(ww)
(declare-const holds_1 Bool)
; holds_2: some ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(declare-const holds_2 Bool)
; holds_3: some ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed]
(declare-const holds_3 Bool)
; holds_4: acyclic dep
(declare-const holds_4 Bool)
(assert (and (and (and (and (not (not holds_1)) (not holds_2)) (not holds_3)) (not (not holds_4))) (not holds_4)))
(check-sat)
