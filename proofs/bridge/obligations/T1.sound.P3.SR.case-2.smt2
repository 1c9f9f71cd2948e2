; T1.sound.P3.SR.case-2
; statement: no schedule at SR shows P3
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dsg and some (txn(prw) ; id_txn) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-fun |txn(prw)| (Transaction Transaction) Bool)
(declare-fun initial (Access) Bool)
(declare-fun prw (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
; assumed: some (txn(prw) ; id_txn) ∩ id_txn
(assert (exists ((t1 Transaction)) (|txn(prw)| t1 t1)))
; definition: txn(prw) is txn(prw) (only if)
(assert (forall ((t3 Transaction) (t4 Transaction))
          (=>
            (|txn(prw)| t3 t4)
            (and
              (exists ((a1 Access) (a2 Access))
                (and
                  (not (initial a1))
                  (not (initial a2))
                  (prw a1 a2)
                  (= (transaction a1) t3)
                  (= (transaction a2) t4)))
              (not (= t3 t4))))))
(check-sat)
