; L1.transfer.P0.lost
; statement: no schedule shows P0 whose image under π_J does not
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-sort Key 0)
(declare-fun write (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
; assumed: some ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (before a1 a2)
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (write a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (ended_before a1 a2)))))
; assumed: empty (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (or (write a1) (log_fill a1))
              (before a1 a2)
              (or
                (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
                (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
              (or (write a2) (log_fill a2))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (ended_before a1 a2))))))
(check-sat)
