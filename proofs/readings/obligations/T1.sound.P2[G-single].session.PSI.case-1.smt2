; T1.sound.P2[G-single].session.PSI.case-1
; statement: no schedule at PSI shows P2[G-single]
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti? and some (rw ; (same_txn ∩ same_item) ; wr) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-fun |plus session or txn(read_dependency) or txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun wr (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun read_dependency (Access Access) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
; assumed: irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(assert (forall ((t1 Transaction))
          (not
            (exists ((t2 Transaction))
              (and (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (or (anti t2 t1) (= t2 t1)))))))
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
; axiom edge.wr.txn: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (wr a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom edge.wr.ends: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (wr a1 a2)
              (not (and (committed a1) (not (initial a1)) (wr a1 a2) (committed a2) (not (initial a2))))))))
; definition: txn(read_dependency) is txn(read_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (read_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (|txn(read_dependency)| (transaction a1) (transaction a2)))))
; closure of session ∪ txn(read_dependency) ∪ txn(ww): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
            (|plus session or txn(read_dependency) or txn(ww)| t1 t2))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; definition: read_dependency is wr ∪ pwr (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2)) (read_dependency a1 a2))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
(check-sat)
