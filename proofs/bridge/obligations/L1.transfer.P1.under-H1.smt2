; L1.transfer.P1.under-H1
; statement: under H1[return] and H1[read] no schedule without P1 has an image that shows it
; role: main (hypotheses: definitions, every axiom)
; shows: no schedule satisfies: empty (before ∩ same_key) ; [log_fill] and empty log_from − same_txn − committed_before and some ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Transaction 0)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun log_fill (Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun |seen_from in <3c0>_J| (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun matched (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun log_seen (Access Access) Bool)
(declare-fun other_vote (Access Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun log_row (Access Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
; assumed: empty (before ∩ same_key) ; [log_fill]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (before a1 a2) (has_key a1) (has_key a2) (= (key a1) (key a2)) (log_fill a2)))))
; assumed: empty log_from − same_txn − committed_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (log_from a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (committed_before a1 a2))))))
; assumed: some ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn
(assert (exists ((a1 Access) (a2 Access))
          (or
            (and
              (or (write a1) (log_fill a1))
              (|seen_from in <3c0>_J| a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
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
                          (log_fill a1)
                          (program_order a1 a3)
                          (has_key a1)
                          (has_key a3)
                          (= (key a1) (key a3))
                          (log_fill a3)))))))
              (|seen_from in <3c0>_J| a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; assumed: empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (or
              (and
                (write a1)
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
                (not (committed_before a1 a2)))
              (and
                (write a1)
                (not (final a1))
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))))
; axiom kinds.initial-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (initial a1) (judge a1)))))
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; axiom row.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (row_from a1 a2)
              (not (and (or (write a1) (initial a1)) (row_from a1 a2) (or (matched a2) (unmatched a2))))))))
; axiom log.fill: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not (exists ((a1 Access)) (and (log_fill a1) (not (judge a1))))))
; definition: seen_from in π_J is reads_from ∪ log_from ∪ row_from (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (|seen_from in <3c0>_J| a1 a2) (or (reads_from a1 a2) (log_from a1 a2) (row_from a1 a2)))))
; definition: program_order is before ∩ same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (program_order a1 a2)
            (and
              (before a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; definition: seen_from is reads_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (reads_from a1 a2) (row_from a1 a2)) (seen_from a1 a2))))
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
; definition: own_log_row is log_row ∩ same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (own_log_row a1 a2)
            (and
              (log_row a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
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
(check-sat)
