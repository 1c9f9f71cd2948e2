; T1.sound.P3.SR.case-1
; statement: no schedule at SR shows P3
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dsg and some (txn(prw) ; dsg⁺) ∩ id_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Access 0)
(declare-fun |txn(prw)| (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun initial (Access) Bool)
(declare-fun prw (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun rw (Access Access) Bool)
; assumed: some (txn(prw) ; dsg⁺) ∩ id_txn
(assert (exists ((t1 Transaction) (t2 Transaction)) (and (|txn(prw)| t1 t2) (|plus dsg| t2 t1))))
; induction lemma: (dsg)⁺(t, u) implies rank1(t) < rank1(u)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (|plus dsg| t1 t2) (earlier (rank1 t1) (rank1 t2)))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
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
; closure of dsg: it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (|plus dsg| t1 t2))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
(check-sat)
