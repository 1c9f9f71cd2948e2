; L1.transfer.own.P0.gained
; statement: under H1, rows in transactions of their own, no image shows P0 whose schedule does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some (([write] ∪ first_call) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ first_call)) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (ended_before ∪ first_call ; before) and empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
; assumed: some (([write] ∪ first_call) ; (before ∩ (same_item ∪ [judge] ; same_key ; [judge])) ; ([write] ∪ first_call)) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (ended_before ∪ first_call ; before)
(assert (exists ((a1 Access) (a2 Access))
          (and
            (or
              (write a1)
              (and
                (judge a1)
                (not
                  (exists ((a3 Access)) (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))))
            (before a1 a2)
            (or
              (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
              (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
            (or
              (write a2)
              (and
                (judge a2)
                (not
                  (exists ((a4 Access)) (and (before a4 a2) (has_key a4) (has_key a2) (= (key a4) (key a2)))))))
            (not
              (or
                (and
                  (= (initial a1) (initial a2))
                  (or (initial a1) (= (transaction a1) (transaction a2)))
                  (not
                    (and
                      (judge a1)
                      (not
                        (exists ((a5 Access))
                          (and (before a5 a1) (has_key a5) (has_key a1) (= (key a5) (key a1)))))
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))))
                  (not
                    (and
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))
                      (judge a2)
                      (not
                        (exists ((a6 Access))
                          (and (before a6 a2) (has_key a6) (has_key a2) (= (key a6) (key a2))))))))
                (and
                  (= a1 a2)
                  (judge a1)
                  (not
                    (exists ((a7 Access))
                      (and (before a7 a1) (has_key a7) (has_key a1) (= (key a7) (key a1))))))))
            (not
              (or
                (ended_before a1 a2)
                (and
                  (judge a1)
                  (not
                    (exists ((a8 Access))
                      (and (before a8 a1) (has_key a8) (has_key a1) (= (key a8) (key a1)))))
                  (before a1 a2)))))))
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
(check-sat)
