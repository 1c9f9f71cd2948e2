; T1.sound.P3.adya.PL-3.case-1
; statement: no schedule at PL-3 shows P3
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and empty (anti ; dsg⁺) ∩ id_txn and some (txn(prw) ; dsg⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun |txn(prw)| (Transaction Transaction) Bool)
(declare-fun initial (Access) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun prw (Access Access) Bool)
(declare-fun rw (Access Access) Bool)
; assumed: empty (anti ; dsg⁺) ∩ id_txn
(assert (not (exists ((t1 Transaction) (t2 Transaction)) (and (anti t1 t2) (|plus dsg| t2 t1)))))
; assumed: some (txn(prw) ; dsg⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(prw)| t1 t2) (|plus dsg| t2 t1))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
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
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
(check-sat)
