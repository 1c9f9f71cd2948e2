; L1.n1.no-P2.case-1
; statement: under H1[return] no image shows P2 on the judge log
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty (before ∩ same_key) ; [log_fill] and within judge_log: (some [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ same_item) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-fun region1 (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun log_from@region1 (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
; assumed: within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write])
(assert (not (exists ((a1 Access)) (and (region1 a1) (or (item_read a1) (unmatched a1) (write a1))))))
; assumed: within judge_log: (some [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ same_item) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹))
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
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
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
; axiom same_item.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_item a1) (has_item a2) (= (item a1) (item a2))))
              (not (or (item_read a1) (unmatched a1) (write a1) (initial a1)))))))
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
(check-sat)
