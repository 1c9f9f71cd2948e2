; T1.chain.session.SI-PSI.case-1
; statement: every schedule at session:SI is at session:PSI
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and acyclic (session ∪ txn(read_dependency) ∪ txn(ww)) ; anti? and not irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun earlier (Time Time) Bool)
(declare-fun st2 (Transaction) Time)
(declare-fun ct2 (Transaction) Time)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus session or txn(read_dependency) or txn(ww)| (Transaction Transaction) Bool)
; assumed: acyclic (session ∪ txn(read_dependency) ∪ txn(ww)) ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st2 t1) (ct2 t1)))
          (forall ((t1 Transaction) (t2 Transaction))
            (=>
              (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2))
              (earlier (ct2 t1) (st2 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st2 t1) (ct2 t2))))))
; assumed: not irreflexive (session ∪ txn(read_dependency) ∪ txn(ww))⁺ ; anti?
(assert (not
          (forall ((t1 Transaction))
            (not
              (exists ((t2 Transaction))
                (and (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (or (anti t2 t1) (= t2 t1))))))))
; induction lemma: (session ∪ txn(read_dependency) ∪ txn(ww))⁺(t, u) implies ct2(t) < st2(u)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=> (|plus session or txn(read_dependency) or txn(ww)| t1 t2) (earlier (ct2 t1) (st2 t2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
