; T1.sound.A1.RC[G]
; statement: no schedule at RC[G] shows A1
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and some ([write] ∩ [aborted]) ; ([write] ; seen_from) − same_txn − ended_before ; [committed]
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun aborted (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
; assumed: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (write a1)
              (not (committed a1))
              (seen_from a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (committed a2)))))
; assumed: some ([write] ∩ [aborted]) ; ([write] ; seen_from) − same_txn − ended_before ; [committed]
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (aborted a1)
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (not (ended_before a1 a2))
            (committed a2))))
; axiom aborted.committed: SEMANTICS §1: at most one of commit and abort
(assert (not (exists ((a1 Access)) (and (aborted a1) (committed a1)))))
(check-sat)
