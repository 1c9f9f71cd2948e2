; T1.sound.G0.adya.PL-1
; no schedule at PL-1 shows G0
; by definition: the named formulas alone contradict each other
(set-logic UF)
; holds_1: acyclic txn(ww)
(declare-const holds_1 Bool)
(assert (and (not (not holds_1)) (not holds_1)))
(check-sat)
