; T1.sound.N2.SR
; statement: no schedule at SR shows N2
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dsg and some (anti_dependency ; (same_txn ∩ same_partition) − same_item ; anti_dependency) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Access 0)
(declare-sort Partition 0)
(declare-sort Item 0)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_partition (Access) Bool)
(declare-fun partition (Access) Partition)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun rw (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun prw (Access Access) Bool)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
; assumed: acyclic dsg
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; assumed: some (anti_dependency ; (same_txn ∩ same_partition) − same_item ; anti_dependency) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (anti_dependency a1 a4)
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (has_partition a4)
                    (has_partition a3)
                    (= (partition a4) (partition a3))
                    (not (and (has_item a4) (has_item a3) (= (item a4) (item a3))))))
                (anti_dependency a3 a2)))
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
; axiom edge.prw.txn: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (prw a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom edge.prw.ends: SEMANTICS §2: T ≠ U on every edge, both committed
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (prw a1 a2)
              (not (and (committed a1) (not (initial a1)) (prw a1 a2) (committed a2) (not (initial a2))))))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
; definition: anti_dependency is rw ∪ prw (only if)
(assert (forall ((a1 Access) (a2 Access)) (=> (anti_dependency a1 a2) (or (rw a1 a2) (prw a1 a2)))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
(check-sat)
