; T1.sound.G1a.RC
; statement: no schedule at RC shows G1a
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and some ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
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
; assumed: some ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (not (committed a1))
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (committed a2))))
; axiom committed-before.ended: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (committed_before a1 a2) (not (and (committed a1) (ended_before a1 a2)))))))
(check-sat)
