; T1.sound.P2[G-single].adya.PL-2.99.case-1
; statement: no schedule at PL-2.99 shows P2[G-single]
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and empty (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn and some (rw ; (same_txn ∩ same_item) ; wr) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-fun |txn(rw)| (Transaction Transaction) Bool)
(declare-fun |plus dep or txn(rw)| (Transaction Transaction) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun wr (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun dependency (Access Access) Bool)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
; assumed: empty (txn(rw) ; (dep ∪ txn(rw))⁺) ∩ id_txn
(assert (not
          (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(rw)| t1 t2) (|plus dep or txn(rw)| t2 t1)))))
; assumed: some (rw ; (same_txn ∩ same_item) ; wr) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (rw a1 a4)
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (has_item a4)
                    (has_item a3)
                    (= (item a4) (item a3))))
                (wr a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; axiom edge.rw.txn: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (rw a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom edge.rw.ends: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (rw a1 a2)
              (not (and (committed a1) (not (initial a1)) (rw a1 a2) (committed a2) (not (initial a2))))))))
; definition: dep is txn(dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (dep (transaction a1) (transaction a2)))))
; definition: txn(rw) is txn(rw) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (not (initial a1)) (not (initial a2)) (rw a1 a2) (not (= (transaction a1) (transaction a2))))
            (|txn(rw)| (transaction a1) (transaction a2)))))
; closure of dep ∪ txn(rw): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (or (dep t1 t2) (|txn(rw)| t1 t2)) (|plus dep or txn(rw)| t1 t2))))
; definition: dependency is wr ∪ pwr ∪ ww (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2) (ww a1 a2)) (dependency a1 a2))))
(check-sat)
