; T1.chain.session.SER-RA.case-2
; statement: every schedule at session:SER is at session:RA
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-fun write (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
; assumed: some ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(assert (exists ((a1 Access) (a2 Access))
          (and
            (write a1)
            (not (committed a1))
            (seen_from a1 a2)
            (not (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
            (committed a2))))
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
(check-sat)
