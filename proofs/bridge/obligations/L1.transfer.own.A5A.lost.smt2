; L1.transfer.own.A5A.lost
; statement: under H1, rows in transactions of their own, no schedule shows A5A whose image does not
; role: main (hypotheses: definitions)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some (rw ; same_txn − same_item ; wr) ∩ same_txn and empty (rw in π_J ; ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (same_item ∪ [judge] ; same_key ; [judge]) ; wr in π_J) ∩ ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-sort Key 0)
(declare-fun rw (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun wr (Access Access) Bool)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun |wr in <3c0>_J| (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun own_log_from (Access Access) Bool)
; assumed: some (rw ; same_txn − same_item ; wr) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (rw a1 a4)
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (not (and (has_item a4) (has_item a3) (= (item a4) (item a3))))))
                (wr a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; assumed: empty (rw in π_J ; ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (same_item ∪ [judge] ; same_key ; [judge]) ; wr in π_J) ∩ ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access))
                (and
                  (exists ((a4 Access))
                    (and
                      (|rw in <3c0>_J| a1 a4)
                      (or
                        (and
                          (= (initial a4) (initial a3))
                          (or (initial a4) (= (transaction a4) (transaction a3)))
                          (not
                            (and
                              (judge a4)
                              (not
                                (exists ((a5 Access))
                                  (and (before a5 a4) (has_key a5) (has_key a4) (= (key a5) (key a4)))))
                              (= (initial a4) (initial a3))
                              (or (initial a4) (= (transaction a4) (transaction a3)))))
                          (not
                            (and
                              (= (initial a4) (initial a3))
                              (or (initial a4) (= (transaction a4) (transaction a3)))
                              (judge a3)
                              (not
                                (exists ((a6 Access))
                                  (and (before a6 a3) (has_key a6) (has_key a3) (= (key a6) (key a3))))))))
                        (and
                          (= a4 a3)
                          (judge a4)
                          (not
                            (exists ((a7 Access))
                              (and (before a7 a4) (has_key a7) (has_key a4) (= (key a7) (key a4)))))))
                      (not
                        (or
                          (and (has_item a4) (has_item a3) (= (item a4) (item a3)))
                          (and (judge a4) (has_key a4) (has_key a3) (= (key a4) (key a3)) (judge a3))))))
                  (|wr in <3c0>_J| a3 a2)))
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
                      (and (before a10 a1) (has_key a10) (has_key a1) (= (key a10) (key a1)))))))))))
; axiom kinds.item_read-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (judge a1)))))
; axiom kinds.unmatched-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (unmatched a1) (judge a1)))))
; axiom kinds.write-initial: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (initial a1)))))
; axiom kinds.write-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (judge a1)))))
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
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; definition: rw is ([committed] ; (reads_from − same_txn)⁻¹ ; version_order) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (rw a1 a2)
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
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; definition: wr is ([write] ; [committed] ; reads_from ; [committed]) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (wr a1 a2)
            (and
              (write a1)
              (committed a1)
              (reads_from a1 a2)
              (committed a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; definition: rw in π_J is (([committed] ∪ first_call) ; ((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹ ; version_order) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
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
                        (and (before a10 a1) (has_key a10) (has_key a1) (= (key a10) (key a1)))))))))
            (|rw in <3c0>_J| a1 a2))))
; definition: wr in π_J is (([write] ∪ first_call) ; ([committed] ∪ first_call) ; (reads_from ∪ own_log_from) ; ([committed] ∪ first_call)) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (or
                (write a1)
                (and
                  (judge a1)
                  (not
                    (exists ((a3 Access))
                      (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))))
              (or
                (committed a1)
                (and
                  (judge a1)
                  (not
                    (exists ((a4 Access))
                      (and (before a4 a1) (has_key a4) (has_key a1) (= (key a4) (key a1)))))))
              (or (reads_from a1 a2) (own_log_from a1 a2))
              (or
                (committed a2)
                (and
                  (judge a2)
                  (not
                    (exists ((a5 Access))
                      (and (before a5 a2) (has_key a5) (has_key a2) (= (key a5) (key a2)))))))
              (not
                (or
                  (and
                    (= (initial a1) (initial a2))
                    (or (initial a1) (= (transaction a1) (transaction a2)))
                    (not
                      (and
                        (judge a1)
                        (not
                          (exists ((a6 Access))
                            (and (before a6 a1) (has_key a6) (has_key a1) (= (key a6) (key a1)))))
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))))
                    (not
                      (and
                        (= (initial a1) (initial a2))
                        (or (initial a1) (= (transaction a1) (transaction a2)))
                        (judge a2)
                        (not
                          (exists ((a7 Access))
                            (and (before a7 a2) (has_key a7) (has_key a2) (= (key a7) (key a2))))))))
                  (and
                    (= a1 a2)
                    (judge a1)
                    (not
                      (exists ((a8 Access))
                        (and (before a8 a1) (has_key a8) (has_key a1) (= (key a8) (key a1)))))))))
            (|wr in <3c0>_J| a1 a2))))
(check-sat)
