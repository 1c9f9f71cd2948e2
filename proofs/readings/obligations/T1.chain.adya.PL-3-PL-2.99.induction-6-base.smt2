; T1.chain.adya.PL-3-PL-2.99.induction-6-base
; statement: every schedule at adya:PL-3 is at adya:PL-2.99
; role: induction base (hypotheses: edges by name)
; shows: (dep ∪ txn(rw))⁺(t, u) implies (dsg)⁺
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun |txn(rw)| (Transaction Transaction) Bool)
(declare-fun |plus dsg| (Transaction Transaction) Bool)
(declare-fun initial (Access) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun dsg (Transaction Transaction) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
; induction base, denied: (dep ∪ txn(rw))⁺(t, u) implies (dsg)⁺
(assert (exists ((t1 Transaction) (t2 Transaction))
          (and (or (dep t1 t2) (|txn(rw)| t1 t2)) (not (|plus dsg| t1 t2)))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; closure of dsg: it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (dsg t1 t2) (|plus dsg| t1 t2))))
; definition: txn(rw) is txn(rw) (only if)
(assert (forall ((t3 Transaction) (t4 Transaction))
          (=>
            (|txn(rw)| t3 t4)
            (and
              (exists ((a1 Access) (a2 Access))
                (and
                  (not (initial a1))
                  (not (initial a2))
                  (rw a1 a2)
                  (= (transaction a1) t3)
                  (= (transaction a2) t4)))
              (not (= t3 t4))))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
; definition: dsg is dep ∪ anti (if)
(assert (forall ((t1 Transaction) (t2 Transaction)) (=> (or (dep t1 t2) (anti t1 t2)) (dsg t1 t2))))
(check-sat)
