; T1.sound.A5A.SI
; statement: no schedule at SI shows A5A
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dep ; anti? and some (rw ; same_txn − same_item ; wr) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st1 (Transaction) Time)
(declare-fun ct1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun wr (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun dependency (Access Access) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st1 t1) (ct1 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct1 t1) (st1 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st1 t1) (ct1 t2))))))
; assumed: some (rw ; same_txn − same_item ; wr) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (rw a1 a4)
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (not (and (has_item a4) (has_item a3) (= (item a4) (item a3))))))
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
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
; definition: dep is txn(dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (dep (transaction a1) (transaction a2)))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; definition: dependency is wr ∪ pwr ∪ ww (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2) (ww a1 a2)) (dependency a1 a2))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
(check-sat)
