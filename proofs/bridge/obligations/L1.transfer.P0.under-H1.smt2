; L1.transfer.P0.under-H1
; statement: under H1[return] no schedule without P0 has an image that shows it
; role: main (hypotheses: definitions, every axiom)
; shows: no schedule satisfies: empty (before ∩ same_key) ; [log_fill] and some (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before and empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun log_fill (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun judge (Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
; assumed: empty (before ∩ same_key) ; [log_fill]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (before a1 a2) (has_key a1) (has_key a2) (= (key a1) (key a2)) (log_fill a2)))))
; assumed: some (([write] ∪ [log_fill]) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ [log_fill])) − same_txn − ended_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (or (write a1) (log_fill a1))
            (before a1 a2)
            (or
              (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
              (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
            (or (write a2) (log_fill a2))
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (ended_before a1 a2)))))
; assumed: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (write a1)
              (before a1 a2)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (write a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (ended_before a1 a2))))))
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
; axiom log.fill: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not (exists ((a1 Access)) (and (log_fill a1) (not (judge a1))))))
(check-sat)
