; T1.sound.P3[broad].berenson.SR.case-2
; statement: no schedule at SR shows P3[broad]
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ((([matched] ; (before ∩ same_item) ; [write]) − same_txn) ∩ ([matched] ; same_item)) − ended_before and empty (((([matched] ∪ [unmatched]) ; (before ∩ same_item) ; [write]) − same_txn) ∩ (matches ∪ [matched] ; same_item)) − ended_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-fun matched (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun write (Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun matches (Access Access) Bool)
; assumed: some ((([matched] ; (before ∩ same_item) ; [write]) − same_txn) ∩ ([matched] ; same_item)) − ended_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (matched a1)
            (before a1 a2)
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (write a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (ended_before a1 a2)))))
; assumed: empty (((([matched] ∪ [unmatched]) ; (before ∩ same_item) ; [write]) − same_txn) ∩ (matches ∪ [matched] ; same_item)) − ended_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (or (matched a1) (unmatched a1))
              (before a1 a2)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (write a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (or (matches a1 a2) (and (matched a1) (has_item a1) (has_item a2) (= (item a1) (item a2))))
              (not (ended_before a1 a2))))))
(check-sat)
