; L1.transfer.own.A5B.gained.case-4
; statement: under H1, rows in transactions of their own, no image shows A5B whose schedule does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some (rw in π_J ; first_call − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ first_call and empty (rw ; same_txn − same_item ; rw) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun has_item (Access) Bool)
; assumed: some (rw in π_J ; first_call − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ first_call
(assert (exists ((a1 Access))
          (and
            (exists ((a2 Access))
              (and
                (|rw in <3c0>_J| a1 a2)
                (judge a2)
                (not
                  (exists ((a3 Access)) (and (before a3 a2) (has_key a3) (has_key a2) (= (key a3) (key a2)))))
                (not (or (has_item a2) (and (judge a2) (has_key a2))))
                (|rw in <3c0>_J| a2 a1)))
            (judge a1)
            (not (exists ((a4 Access)) (and (before a4 a1) (has_key a4) (has_key a1) (= (key a4) (key a1))))))))
; axiom same_key.reflexive: SEMANTICS §5: what accesses share
(assert (not (exists ((a1 Access)) (and (judge a1) (not (has_key a1))))))
(check-sat)
