; T1.sound.P4[event].berenson.RR
; statement: no schedule at RR shows P4[event]
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty ([write] ; (before ∩ same_item) ; [item_read]) − same_txn − ended_before and empty ([item_read] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and some ([committed] ; ([item_read] ; (before ∩ same_item) ; [write]) − same_txn ; (before ∩ same_item) ; [write]) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-fun item_read (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun write (Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
(declare-fun committed (Access) Bool)
; assumed: empty ([item_read] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (item_read a1)
              (before a1 a2)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (write a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (ended_before a1 a2))))))
; assumed: some ([committed] ; ([item_read] ; (before ∩ same_item) ; [write]) − same_txn ; (before ∩ same_item) ; [write]) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (committed a1)
                (item_read a1)
                (before a1 a3)
                (has_item a1)
                (has_item a3)
                (= (item a1) (item a3))
                (write a3)
                (not
                  (and (= (initial a1) (initial a3)) (or (initial a1) (= (transaction a1) (transaction a3)))))
                (before a3 a2)
                (has_item a2)
                (= (item a3) (item a2))))
            (write a2)
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; axiom ended.later: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (exists ((a3 Access)) (and (ended_before a1 a3) (before a3 a2))) (not (ended_before a1 a2))))))
; axiom ended.own: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (ended_before a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
(check-sat)
