; T1.sound.G-single.session.PSI.induction-8-step
; statement: no schedule at PSI shows G-single
; role: induction step (hypotheses: edges by name)
; shows: (dep)⁺(t, u) implies (session ∪ txn(read_dependency) ∪ txn(ww))⁺
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Access 0)
(declare-fun |plus session or txn(read_dependency) or txn(ww)| (Transaction Transaction) Bool)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun initial (Access) Bool)
(declare-fun read_dependency (Access Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun dependency (Access Access) Bool)
(declare-fun wr (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
; induction step, denied: (dep)⁺(t, u) implies (session ∪ txn(read_dependency) ∪ txn(ww))⁺
(assert (exists ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (and
            (|plus session or txn(read_dependency) or txn(ww)| t1 t2)
            (dep t2 t3)
            (not (|plus session or txn(read_dependency) or txn(ww)| t1 t3)))))
; definition: txn(read_dependency) is txn(read_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (read_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (|txn(read_dependency)| (transaction a1) (transaction a2)))))
; definition: txn(ww) is txn(ww) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (not (initial a1)) (not (initial a2)) (ww a1 a2) (not (= (transaction a1) (transaction a2))))
            (|txn(ww)| (transaction a1) (transaction a2)))))
; closure of session ∪ txn(read_dependency) ∪ txn(ww): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
            (|plus session or txn(read_dependency) or txn(ww)| t1 t2))))
; closure of session ∪ txn(read_dependency) ∪ txn(ww): it is transitive
(assert (forall ((t1 Transaction) (t2 Transaction) (t3 Transaction))
          (=>
            (and
              (|plus session or txn(read_dependency) or txn(ww)| t1 t2)
              (|plus session or txn(read_dependency) or txn(ww)| t2 t3))
            (|plus session or txn(read_dependency) or txn(ww)| t1 t3))))
; definition: dep is txn(dependency) (only if)
(assert (forall ((t3 Transaction) (t4 Transaction))
          (=>
            (dep t3 t4)
            (and
              (exists ((a1 Access) (a2 Access))
                (and
                  (not (initial a1))
                  (not (initial a2))
                  (dependency a1 a2)
                  (= (transaction a1) t3)
                  (= (transaction a2) t4)))
              (not (= t3 t4))))))
; definition: read_dependency is wr ∪ pwr (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2)) (read_dependency a1 a2))))
; definition: dependency is wr ∪ pwr ∪ ww (only if)
(assert (forall ((a1 Access) (a2 Access)) (=> (dependency a1 a2) (or (wr a1 a2) (pwr a1 a2) (ww a1 a2)))))
(check-sat)
