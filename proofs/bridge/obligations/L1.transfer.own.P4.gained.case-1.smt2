; L1.transfer.own.P4.gained.case-1
; statement: under H1, rows in transactions of their own, no image shows P4 whose schedule does not
; role: main (hypotheses: definitions)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some (rw in π_J ; ww in π_J) ∩ (same_txn − (first_call ; same_txn) − (same_txn ; first_call)) and empty (rw ; ww) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Key 0)
(declare-sort Item 0)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun |ww in <3c0>_J| (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun rw (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun version_order (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun own_log_from (Access Access) Bool)
; assumed: some (rw in π_J ; ww in π_J) ∩ (same_txn − (first_call ; same_txn) − (same_txn ; first_call))
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access)) (and (|rw in <3c0>_J| a1 a3) (|ww in <3c0>_J| a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (not
              (and
                (judge a1)
                (not
                  (exists ((a4 Access)) (and (before a4 a1) (has_key a4) (has_key a1) (= (key a4) (key a1)))))
                (= (initial a1) (initial a2))
                (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not
              (and
                (= (initial a1) (initial a2))
                (or (initial a1) (= (transaction a1) (transaction a2)))
                (judge a2)
                (not
                  (exists ((a5 Access)) (and (before a5 a2) (has_key a5) (has_key a2) (= (key a5) (key a2))))))))))
; assumed: empty (rw ; ww) ∩ same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access)) (and (rw a1 a3) (ww a3 a2)))
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
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
; axiom order.item: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (version_order a1 a2) (not (and (has_item a1) (has_item a2) (= (item a1) (item a2))))))))
; definition: rw in π_J is (([committed] ∪ first_call) ; ((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹ ; version_order) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (|rw in <3c0>_J| a1 a2)
            (and
              (exists ((a3 Access))
                (and
                  (or
                    (committed a1)
                    (and
                      (judge a1)
                      (not
                        (exists ((a4 Access))
                          (and (before a4 a1) (has_key a4) (has_key a1) (= (key a4) (key a1)))))))
                  (or (reads_from a3 a1) (own_log_from a3 a1))
                  (not
                    (or
                      (and
                        (= (initial a3) (initial a1))
                        (or (initial a3) (= (transaction a3) (transaction a1)))
                        (not
                          (and
                            (judge a3)
                            (not
                              (exists ((a5 Access))
                                (and (before a5 a3) (has_key a5) (has_key a3) (= (key a5) (key a3)))))
                            (= (initial a3) (initial a1))
                            (or (initial a3) (= (transaction a3) (transaction a1)))))
                        (not
                          (and
                            (= (initial a3) (initial a1))
                            (or (initial a3) (= (transaction a3) (transaction a1)))
                            (judge a1)
                            (not
                              (exists ((a6 Access))
                                (and (before a6 a1) (has_key a6) (has_key a1) (= (key a6) (key a1))))))))
                      (and
                        (= a3 a1)
                        (judge a3)
                        (not
                          (exists ((a7 Access))
                            (and (before a7 a3) (has_key a7) (has_key a3) (= (key a7) (key a3))))))))
                  (version_order a3 a2)))
              (not
                (or
                  (and
                    (= (initial a1) (initial a2))
                    (or (initial a1) (= (transaction a1) (transaction a2)))
                    (not
                      (and
                        (judge a1)
                        (not
                          (exists ((a8 Access))
                            (and (before a8 a1) (has_key a8) (has_key a1) (= (key a8) (key a1)))))
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))))
                    (not
                      (and
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))
                        (judge a2)
                        (not
                          (exists ((a9 Access))
                            (and (before a9 a2) (has_key a9) (has_key a2) (= (key a9) (key a2))))))))
                  (and
                    (= a1 a2)
                    (judge a1)
                    (not
                      (exists ((a10 Access))
                        (and (before a10 a1) (has_key a10) (has_key a1) (= (key a10) (key a1))))))))))))
; definition: ww in π_J is (([write] ∪ first_call) ; version_order) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (|ww in <3c0>_J| a1 a2)
            (and
              (or
                (write a1)
                (and
                  (judge a1)
                  (not
                    (exists ((a3 Access))
                      (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))))
              (version_order a1 a2)
              (not
                (or
                  (and
                    (= (initial a1) (initial a2))
                    (or (initial a1) (= (transaction a1) (transaction a2)))
                    (not
                      (and
                        (judge a1)
                        (not
                          (exists ((a4 Access))
                            (and (before a4 a1) (has_key a4) (has_key a1) (= (key a4) (key a1)))))
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))))
                    (not
                      (and
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))
                        (judge a2)
                        (not
                          (exists ((a5 Access))
                            (and (before a5 a2) (has_key a5) (has_key a2) (= (key a5) (key a2))))))))
                  (and
                    (= a1 a2)
                    (judge a1)
                    (not
                      (exists ((a6 Access))
                        (and (before a6 a1) (has_key a6) (has_key a1) (= (key a6) (key a1))))))))))))
; definition: rw is ([committed] ; (reads_from − same_txn)⁻¹ ; version_order) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (exists ((a3 Access))
                (and
                  (committed a1)
                  (reads_from a3 a1)
                  (not
                    (and
                      (= (initial a3) (initial a1))
                      (or (initial a3) (= (transaction a3) (transaction a1)))))
                  (version_order a3 a2)))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (rw a1 a2))))
; definition: ww is ([write] ; version_order) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (write a1)
              (version_order a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (ww a1 a2))))
; definition: own_log_from is first_call ; (before ∩ same_key) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (own_log_from a1 a2)
            (and
              (judge a1)
              (not
                (exists ((a3 Access)) (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))
              (before a1 a2)
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))))))
(check-sat)
