; L1.transfer.own.P1.lost.case-1
; statement: under H1, rows in transactions of their own, no schedule shows P1 whose image does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some ([write] ; seen_from) − same_txn − committed_before and empty ((([write] ∪ first_call) ; seen_from in π_J) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (committed_before ∪ first_call ; before)) ∪ (([write] ∪ first_call) − ([final] ∪ first_call)) ; (([write] ∪ first_call) ; seen_from in π_J) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Key 0)
(declare-fun write (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun |seen_from in <3c0>_J| (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun own_log_from (Access Access) Bool)
; assumed: some ([write] ; seen_from) − same_txn − committed_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (committed_before a1 a2)))))
; assumed: empty ((([write] ∪ first_call) ; seen_from in π_J) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call) − (committed_before ∪ first_call ; before)) ∪ (([write] ∪ first_call) − ([final] ∪ first_call)) ; (([write] ∪ first_call) ; seen_from in π_J) − ((same_txn − (first_call ; same_txn) − (same_txn ; first_call)) ∪ first_call)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (or
              (and
                (or
                  (write a1)
                  (and
                    (judge a1)
                    (not
                      (exists ((a3 Access))
                        (and (before a3 a1) (has_key a3) (has_key a1) (= (key a3) (key a1)))))))
                (|seen_from in <3c0>_J| a1 a2)
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
                          (and (before a6 a1) (has_key a6) (has_key a1) (= (key a6) (key a1))))))))
                (not
                  (or
                    (committed_before a1 a2)
                    (and
                      (judge a1)
                      (not
                        (exists ((a7 Access))
                          (and (before a7 a1) (has_key a7) (has_key a1) (= (key a7) (key a1)))))
                      (before a1 a2)))))
              (and
                (or
                  (write a1)
                  (and
                    (judge a1)
                    (not
                      (exists ((a8 Access))
                        (and (before a8 a1) (has_key a8) (has_key a1) (= (key a8) (key a1)))))))
                (not
                  (or
                    (final a1)
                    (and
                      (judge a1)
                      (not
                        (exists ((a9 Access))
                          (and (before a9 a1) (has_key a9) (has_key a1) (= (key a9) (key a1))))))))
                (or
                  (write a1)
                  (and
                    (judge a1)
                    (not
                      (exists ((a10 Access))
                        (and (before a10 a1) (has_key a10) (has_key a1) (= (key a10) (key a1)))))))
                (|seen_from in <3c0>_J| a1 a2)
                (not
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
                          (and (before a13 a1) (has_key a13) (has_key a1) (= (key a13) (key a1)))))))))))))
; axiom kinds.write-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (judge a1)))))
; definition: seen_from is reads_from ∪ row_from (only if)
(assert (forall ((a1 Access) (a2 Access)) (=> (seen_from a1 a2) (or (reads_from a1 a2) (row_from a1 a2)))))
; definition: seen_from in π_J is reads_from ∪ own_log_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (or (reads_from a1 a2) (own_log_from a1 a2) (row_from a1 a2)) (|seen_from in <3c0>_J| a1 a2))))
(check-sat)
