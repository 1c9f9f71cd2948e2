; T1.sound.P0.RC
; statement: no schedule at RC shows P0
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun ended_before (Access Access) Bool)
; assumed: some ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (before a1 a2)
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (write a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (ended_before a1 a2)))))
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
(check-sat)
