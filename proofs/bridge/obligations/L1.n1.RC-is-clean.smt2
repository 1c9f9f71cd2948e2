; L1.n1.RC-is-clean
; statement: where the image is at RC on judge_log, every row that a call could see is committed
; role: main (hypotheses: definitions, existence: log)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and within judge_log: (empty (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before) and within judge_log: (empty ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn) and some log_row − same_txn − committed_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-sort Key 0)
(declare-sort Transaction 0)
(declare-fun region1 (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun judge (Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun |seen_from in <3c0>_J@region1| (Access Access) Bool)
(declare-fun committed_before (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun log_row (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun log_seen (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun log_from@region1 (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun other_vote (Access Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun log_seen@region1 (Access Access) Bool)
; assumed: within judge_log: (empty (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (region1 a1)
              (region1 a2)
              (or (write a1) (log_fill a1))
              (before a1 a2)
              (or
                (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
                (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
              (or (write a2) (log_fill a2))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (ended_before a1 a2))))))
; assumed: within judge_log: (empty ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (region1 a1)
              (region1 a2)
              (or
                (and
                  (or (write a1) (log_fill a1))
                  (|seen_from in <3c0>_J@region1| a1 a2)
                  (not
                    (and
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))))
                  (not (committed_before a1 a2)))
                (and
                  (or (write a1) (log_fill a1))
                  (not
                    (or
                      (final a1)
                      (and
                        (log_fill a1)
                        (not
                          (exists ((a3 Access))
                            (and
                              (region1 a3)
                              (log_fill a1)
                              (program_order a1 a3)
                              (has_key a1)
                              (has_key a3)
                              (= (key a1) (key a3))
                              (log_fill a3)))))))
                  (|seen_from in <3c0>_J@region1| a1 a2)
                  (not
                    (and
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))))))))))
; assumed: some log_row − same_txn − committed_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (log_row a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (committed_before a1 a2)))))
; axiom kinds.item_read-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (judge a1)))))
; axiom kinds.unmatched-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (unmatched a1) (judge a1)))))
; axiom kinds.write-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (judge a1)))))
; axiom kinds.initial-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (initial a1) (judge a1)))))
; axiom same_item.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_item a1) (has_item a2) (= (item a1) (item a2))))
              (not (or (item_read a1) (unmatched a1) (write a1) (initial a1)))))))
; axiom ended.txn: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access))
                (and
                  (= (initial a1) (initial a3))
                  (or (initial a1) (= (transaction a1) (transaction a3)))
                  (ended_before a3 a2)))
              (not (ended_before a1 a2))))))
; axiom ended.later: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (exists ((a3 Access)) (and (ended_before a1 a3) (before a3 a2))) (not (ended_before a1 a2))))))
; axiom ended.own: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (ended_before a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom ended.how: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (ended_before a1 a2) (not (and (or (committed a1) (aborted a1)) (ended_before a1 a2)))))))
; axiom ended.committed: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (committed a1) (ended_before a1 a2) (not (committed_before a1 a2))))))
; axiom committed-before.ended: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (committed_before a1 a2) (not (and (committed a1) (ended_before a1 a2)))))))
; axiom before.key: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))
              (not (= a1 a2))
              (not (or (before a1 a2) (before a2 a1)))))))
; axiom log.fill: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not (exists ((a1 Access)) (and (log_fill a1) (not (judge a1))))))
; axiom log.each: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not
          (exists ((a1 Access))
            (and (judge a1) (not (or (log_fill a1) (exists ((a2 Access)) (log_from a2 a1))))))))
; axiom log.latest: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not
          (exists ((a1 Access))
            (and (exists ((a2 Access)) (log_row a2 a1)) (not (exists ((a3 Access)) (log_seen a3 a1)))))))
; region judge_log: and what is on no item
(assert (forall ((a1 Access)) (or (has_item a1) (region1 a1))))
; definition: seen_from in π_J@region1 is reads_from ∪ log_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=>
              (or (reads_from a1 a2) (log_from@region1 a1 a2) (row_from a1 a2))
              (|seen_from in <3c0>_J@region1| a1 a2)))))
; definition: log_row is [log_fill] ; (same_key ∩ before) − ([aborted] ; ended_before) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (log_row a1 a2)
            (and
              (log_fill a1)
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))
              (before a1 a2)
              (not (and (aborted a1) (ended_before a1 a2)))))))
; definition: log_from is log_seen − other_vote (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (log_from a1 a2) (and (log_seen a1 a2) (not (other_vote a1 a2))))))
; definition: log_seen is (own_log_row − (before ; own_log_row)) ∪ (log_row − (before ; log_row)) ; [judge] − domain(own_log_row⁻¹) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (log_seen a1 a2)
            (or
              (and (own_log_row a1 a2) (not (exists ((a3 Access)) (and (before a1 a3) (own_log_row a3 a2)))))
              (and
                (log_row a1 a2)
                (not (exists ((a4 Access)) (and (before a1 a4) (log_row a4 a2))))
                (judge a2)
                (not (exists ((a5 Access)) (own_log_row a5 a2))))))))
; definition: log_from@region1 is log_seen − other_vote (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=> (and (log_seen@region1 a1 a2) (not (other_vote a1 a2))) (log_from@region1 a1 a2)))))
; definition: own_log_row is log_row ∩ same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (own_log_row a1 a2)
            (and
              (log_row a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; definition: log_seen@region1 is (own_log_row − (before ; own_log_row)) ∪ (log_row − (before ; log_row)) ; [judge] − domain(own_log_row⁻¹) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=>
              (or
                (and
                  (own_log_row a1 a2)
                  (not (exists ((a3 Access)) (and (region1 a3) (before a1 a3) (own_log_row a3 a2)))))
                (and
                  (log_row a1 a2)
                  (not (exists ((a4 Access)) (and (region1 a4) (before a1 a4) (log_row a4 a2))))
                  (judge a2)
                  (not (exists ((a5 Access)) (and (region1 a5) (own_log_row a5 a2))))))
              (log_seen@region1 a1 a2)))))
(check-sat)
