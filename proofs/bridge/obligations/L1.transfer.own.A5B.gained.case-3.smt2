; L1.transfer.own.A5B.gained.case-3
; statement: under H1, rows in transactions of their own, no image shows A5B whose schedule does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some (rw in π_J ; first_call − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ (same_txn − (first_call ; same_txn) − (same_txn ; first_call)) and empty (rw ; same_txn − same_item ; rw) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Transaction 0)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun has_item (Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
; assumed: some (rw in π_J ; first_call − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ (same_txn − (first_call ; same_txn) − (same_txn ; first_call))
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (|rw in <3c0>_J| a1 a3)
                (judge a3)
                (not
                  (exists ((a4 Access)) (and (before a4 a3) (has_key a4) (has_key a3) (= (key a4) (key a3)))))
                (not (or (has_item a3) (and (judge a3) (has_key a3))))
                (|rw in <3c0>_J| a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (not
              (and
                (judge a1)
                (not
                  (exists ((a5 Access)) (and (before a5 a1) (has_key a5) (has_key a1) (= (key a5) (key a1)))))
                (= (initial a1) (initial a2))
                (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not
              (and
                (= (initial a1) (initial a2))
                (or (initial a1) (= (transaction a1) (transaction a2)))
                (judge a2)
                (not
                  (exists ((a6 Access)) (and (before a6 a2) (has_key a6) (has_key a2) (= (key a6) (key a2))))))))))
; axiom same_key.reflexive: SEMANTICS §5: what accesses share
(assert (not (exists ((a1 Access)) (and (judge a1) (not (has_key a1))))))
(check-sat)
