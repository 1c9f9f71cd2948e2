; L1.n1.no-P3.case-1
; statement: π_J(S) has no P3 on the judge log where only judge calls touch it
; role: main (hypotheses: definitions)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and within judge_log: (some (txn(prw in π_J) ; dsg in π_J⁺) ∩ id_txn)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-fun region1 (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun |txn(prw in <3c0>_J)@region1| (Transaction Transaction) Bool)
(declare-fun |plus dsg in <3c0>_J@region1| (Transaction Transaction) Bool)
(declare-fun matched (Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun |prw in <3c0>_J@region1| (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun |later_version in <3c0>_J@region1| (Access Access) Bool)
(declare-fun matches (Access Access) Bool)
; assumed: within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write])
(assert (not (exists ((a1 Access)) (and (region1 a1) (or (item_read a1) (unmatched a1) (write a1))))))
; assumed: within judge_log: (some (txn(prw in π_J) ; dsg in π_J⁺) ∩ id_txn)
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and (|txn(prw in <3c0>_J)@region1| t1 t2) (|plus dsg in <3c0>_J@region1| t2 t1))))
; axiom kinds.matched: SEMANTICS §1: listed rows are read as items too
(assert (not (exists ((a1 Access)) (and (matched a1) (not (item_read a1))))))
; definition: txn(prw in π_J)@region1 is txn(prw in π_J) (only if)
(assert (forall ((t3 Transaction) (t4 Transaction))
          (=>
            (|txn(prw in <3c0>_J)@region1| t3 t4)
            (and
              (exists ((a1 Access) (a2 Access))
                (and
                  (region1 a1)
                  (region1 a2)
                  (not (initial a1))
                  (not (initial a2))
                  (|prw in <3c0>_J@region1| a1 a2)
                  (= (transaction a1) t3)
                  (= (transaction a2) t4)))
              (not (= t3 t4))))))
; definition: prw in π_J@region1 is ((([matched] ; later_version in π_J) − matches) ∪ (([unmatched] ; later_version in π_J) ∩ matches)) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (region1 a1) (region1 a2))
            (=>
              (|prw in <3c0>_J@region1| a1 a2)
              (and
                (or
                  (and (matched a1) (|later_version in <3c0>_J@region1| a1 a2) (not (matches a1 a2)))
                  (and (unmatched a1) (|later_version in <3c0>_J@region1| a1 a2) (matches a1 a2)))
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))))
(check-sat)
