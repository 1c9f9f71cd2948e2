; L1.n1.no-P2.case-2
; statement: under H1[return] no image shows P2 on the judge log
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty (before ∩ same_key) ; [log_fill] and within judge_log: (some [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ ([judge] ; same_key ; [judge])) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Transaction 0)
(declare-fun region1 (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun log_fill (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun log_from@region1 (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun judge (Access) Bool)
(declare-fun log_seen@region1 (Access Access) Bool)
(declare-fun other_vote (Access Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun log_row (Access Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
; assumed: within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write])
(assert (not (exists ((a1 Access)) (and (region1 a1) (or (item_read a1) (unmatched a1) (write a1))))))
; assumed: empty (before ∩ same_key) ; [log_fill]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (before a1 a2) (has_key a1) (has_key a2) (= (key a1) (key a2)) (log_fill a2)))))
; assumed: within judge_log: (some [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ ([judge] ; same_key ; [judge])) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹))
(assert (exists ((a1 Access) (a2 Access))
          (and
            (region1 a1)
            (region1 a2)
            (committed a1)
            (exists ((a3 Access))
              (and
                (region1 a3)
                (or (reads_from a3 a1) (log_from@region1 a3 a1))
                (not
                  (and (= (initial a3) (initial a1)) (or (initial a3) (= (transaction a3) (transaction a1)))))))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (judge a1)
            (has_key a1)
            (has_key a2)
            (= (key a1) (key a2))
            (judge a2)
            (not
              (exists ((a4 Access))
                (and
                  (region1 a4)
                  (or (reads_from a4 a1) (log_from@region1 a4 a1))
                  (or (reads_from a4 a2) (log_from@region1 a4 a2)))))
            (exists ((a5 Access))
              (and
                (region1 a5)
                (or (reads_from a5 a2) (log_from@region1 a5 a2))
                (not
                  (and (= (initial a5) (initial a2)) (or (initial a5) (= (transaction a5) (transaction a2))))))))))
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; axiom before.key: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))
              (not (= a1 a2))
              (not (or (before a1 a2) (before a2 a1)))))))
; definition: log_from@region1 is log_seen − other_vote (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=> (log_from@region1 a1 a2) (and (log_seen@region1 a1 a2) (not (other_vote a1 a2)))))))
; definition: log_seen@region1 is (own_log_row − (before ; own_log_row)) ∪ (log_row − (before ; log_row)) ; [judge] − domain(own_log_row⁻¹) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=>
              (log_seen@region1 a1 a2)
              (or
                (and
                  (own_log_row a1 a2)
                  (not (exists ((a3 Access)) (and (region1 a3) (before a1 a3) (own_log_row a3 a2)))))
                (and
                  (log_row a1 a2)
                  (not (exists ((a4 Access)) (and (region1 a4) (before a1 a4) (log_row a4 a2))))
                  (judge a2)
                  (not (exists ((a5 Access)) (and (region1 a5) (own_log_row a5 a2))))))))))
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
