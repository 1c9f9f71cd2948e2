; L1.transfer.P1.lost.case-1
; statement: no schedule shows P1 whose image under π_J does not
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ([write] ; seen_from) − same_txn − committed_before and empty ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn
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
(declare-fun log_fill (Access) Bool)
(declare-fun |seen_from in <3c0>_J| (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun reads_from (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun log_from (Access Access) Bool)
; assumed: some ([write] ; seen_from) − same_txn − committed_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (committed_before a1 a2)))))
; assumed: empty ((([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn − committed_before) ∪ (([write] ∪ [log_fill]) − ([final] ∪ final_fill)) ; (([write] ∪ [log_fill]) ; seen_from in π_J) − same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
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
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))))
; definition: seen_from is reads_from ∪ row_from (only if)
(assert (forall ((a1 Access) (a2 Access)) (=> (seen_from a1 a2) (or (reads_from a1 a2) (row_from a1 a2)))))
; definition: seen_from in π_J is reads_from ∪ log_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (or (reads_from a1 a2) (log_from a1 a2) (row_from a1 a2)) (|seen_from in <3c0>_J| a1 a2))))
(check-sat)
