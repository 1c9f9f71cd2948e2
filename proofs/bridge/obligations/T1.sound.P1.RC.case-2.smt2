; T1.sound.P1.RC.case-2
; statement: no schedule at RC shows P1
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ([write] − [final]) ; ([write] ; seen_from) − same_txn and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
; assumed: some ([write] − [final]) ; ([write] ; seen_from) − same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (not (final a1))
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))
; assumed: empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (or
              (and
                (write a1)
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
                (not (committed_before a1 a2)))
              (and
                (write a1)
                (not (final a1))
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))))
(check-sat)
