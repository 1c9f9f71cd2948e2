; L1.transfer.own.P2.lost
; statement: under H1, rows in transactions of their own, no schedule shows P2 whose image does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some [committed] ; domain((reads_from − same_txn)⁻¹) ; (same_txn ∩ same_item) − (reads_from⁻¹ ; reads_from) ; domain((reads_from − same_txn)⁻¹) and empty ([committed] ∪ first_call) ; domain(((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹) ; (((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) ∩ (same_item ∪ [judge] ; same_key ; [judge])) − ((reads_from ∪ own_log_from)⁻¹ ; (reads_from ∪ own_log_from)) ; domain(((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-sort Key 0)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun own_log_from (Access Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
; assumed: some [committed] ; domain((reads_from − same_txn)⁻¹) ; (same_txn ∩ same_item) − (reads_from⁻¹ ; reads_from) ; domain((reads_from − same_txn)⁻¹)
(assert (exists ((a1 Access) (a2 Access))
          (and
            (committed a1)
            (exists ((a3 Access))
              (and
                (reads_from a3 a1)
                (not
                  (and (= (initial a3) (initial a1)) (or (initial a3) (= (transaction a3) (transaction a1)))))))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (not (exists ((a4 Access)) (and (reads_from a4 a1) (reads_from a4 a2))))
            (exists ((a5 Access))
              (and
                (reads_from a5 a2)
                (not
                  (and (= (initial a5) (initial a2)) (or (initial a5) (= (transaction a5) (transaction a2))))))))))
; assumed: empty ([committed] ∪ first_call) ; domain(((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹) ; (((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) ∩ (same_item ∪ [judge] ; same_key ; [judge])) − ((reads_from ∪ own_log_from)⁻¹ ; (reads_from ∪ own_log_from)) ; domain(((reads_from ∪ own_log_from) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call))⁻¹)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (or
                (committed a1)
                (and
                  (judge a1)
                  (not
                    (exists ((a3 Access))
                      (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))))
              (exists ((a4 Access))
                (and
                  (or (reads_from a4 a1) (own_log_from a4 a1))
                  (not
                    (or
                      (and
                        (= (initial a4) (initial a1))
                        (or (initial a4) (= (transaction a4) (transaction a1)))
                        (not
                          (and
                            (judge a4)
                            (not
                              (exists ((a5 Access))
                                (and (before a5 a4) (has_key a5) (has_key a4) (= (key a5) (key a4)))))
                            (= (initial a4) (initial a1))
                            (or (initial a4) (= (transaction a4) (transaction a1)))))
                        (not
                          (and
                            (= (initial a4) (initial a1))
                            (or (initial a4) (= (transaction a4) (transaction a1)))
                            (judge a1)
                            (not
                              (exists ((a6 Access))
                                (and (before a6 a1) (has_key a6) (has_key a1) (= (key a6) (key a1))))))))
                      (and
                        (= a4 a1)
                        (judge a4)
                        (not
                          (exists ((a7 Access))
                            (and (before a7 a4) (has_key a7) (has_key a4) (= (key a7) (key a4))))))))
                  (not
                    (or
                      (and
                        (= (initial a4) (initial a1))
                        (or (initial a4) (= (transaction a4) (transaction a1)))
                        (not
                          (and
                            (judge a4)
                            (not
                              (exists ((a8 Access))
                                (and (before a8 a4) (has_key a8) (has_key a4) (= (key a8) (key a4)))))
                            (= (initial a4) (initial a1))
                            (or (initial a4) (= (transaction a4) (transaction a1)))))
                        (not
                          (and
                            (= (initial a4) (initial a1))
                            (or (initial a4) (= (transaction a4) (transaction a1)))
                            (judge a1)
                            (not
                              (exists ((a9 Access))
                                (and (before a9 a1) (has_key a9) (has_key a1) (= (key a9) (key a1))))))))
                      (and
                        (= a4 a1)
                        (judge a4)
                        (not
                          (exists ((a10 Access))
                            (and (before a10 a4) (has_key a10) (has_key a4) (= (key a10) (key a4))))))))))
              (or
                (and
                  (= (initial a1) (initial a2))
                  (or (initial a1) (= (transaction a1) (transaction a2)))
                  (not
                    (and
                      (judge a1)
                      (not
                        (exists ((a11 Access))
                          (and (before a11 a1) (has_key a11) (has_key a1) (= (key a11) (key a1)))))
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))))
                  (not
                    (and
                      (= (initial a1) (initial a2))
                      (or (initial a1) (= (transaction a1) (transaction a2)))
                      (judge a2)
                      (not
                        (exists ((a12 Access))
                          (and (before a12 a2) (has_key a12) (has_key a2) (= (key a12) (key a2))))))))
                (and
                  (= a1 a2)
                  (judge a1)
                  (not
                    (exists ((a13 Access))
                      (and (before a13 a1) (has_key a13) (has_key a1) (= (key a13) (key a1)))))))
              (or
                (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
                (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
              (not
                (exists ((a14 Access))
                  (and
                    (or (reads_from a14 a1) (own_log_from a14 a1))
                    (or (reads_from a14 a2) (own_log_from a14 a2)))))
              (exists ((a15 Access))
                (and
                  (or (reads_from a15 a2) (own_log_from a15 a2))
                  (not
                    (or
                      (and
                        (= (initial a15) (initial a2))
                        (or (initial a15) (= (transaction a15) (transaction a2)))
                        (not
                          (and
                            (judge a15)
                            (not
                              (exists ((a16 Access))
                                (and (before a16 a15) (has_key a16) (has_key a15) (= (key a16) (key a15)))))
                            (= (initial a15) (initial a2))
                            (or (initial a15) (= (transaction a15) (transaction a2)))))
                        (not
                          (and
                            (= (initial a15) (initial a2))
                            (or (initial a15) (= (transaction a15) (transaction a2)))
                            (judge a2)
                            (not
                              (exists ((a17 Access))
                                (and (before a17 a2) (has_key a17) (has_key a2) (= (key a17) (key a2))))))))
                      (and
                        (= a15 a2)
                        (judge a15)
                        (not
                          (exists ((a18 Access))
                            (and (before a18 a15) (has_key a18) (has_key a15) (= (key a18) (key a15))))))))
                  (not
                    (or
                      (and
                        (= (initial a15) (initial a2))
                        (or (initial a15) (= (transaction a15) (transaction a2)))
                        (not
                          (and
                            (judge a15)
                            (not
                              (exists ((a19 Access))
                                (and (before a19 a15) (has_key a19) (has_key a15) (= (key a19) (key a15)))))
                            (= (initial a15) (initial a2))
                            (or (initial a15) (= (transaction a15) (transaction a2)))))
                        (not
                          (and
                            (= (initial a15) (initial a2))
                            (or (initial a15) (= (transaction a15) (transaction a2)))
                            (judge a2)
                            (not
                              (exists ((a20 Access))
                                (and (before a20 a2) (has_key a20) (has_key a2) (= (key a20) (key a2))))))))
                      (and
                        (= a15 a2)
                        (judge a15)
                        (not
                          (exists ((a21 Access))
                            (and (before a21 a15) (has_key a21) (has_key a15) (= (key a21) (key a15))))))))))))))
; axiom kinds.item_read-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (judge a1)))))
; axiom kinds.unmatched-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (unmatched a1) (judge a1)))))
; axiom kinds.write-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (judge a1)))))
; axiom same_item.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_item a1) (has_item a2) (= (item a1) (item a2))))
              (not (or (item_read a1) (unmatched a1) (write a1) (initial a1)))))))
; axiom same_key.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_key a1) (has_key a2) (= (key a1) (key a2))))
              (not (judge a1))))))
; axiom initial.one: SEMANTICS §1: items, partitions, predicates
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (initial a1)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (initial a2)
              (not (= a1 a2))))))
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
