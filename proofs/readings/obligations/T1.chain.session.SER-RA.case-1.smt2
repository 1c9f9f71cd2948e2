; T1.chain.session.SER-RA.case-1
; statement: every schedule at session:SER is at session:RA
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and acyclic session ∪ txn(read_dependency) ∪ txn(ww) ∪ anti and not irreflexive anti ; (session ∪ txn(read_dependency))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank2 (Transaction) Time)
; assumed: acyclic session ∪ txn(read_dependency) ∪ txn(ww) ∪ anti
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (or (session t1 t2) (|txn(read_dependency)| t1 t2) (|txn(ww)| t1 t2) (anti t1 t2))
            (earlier (rank2 t1) (rank2 t2)))))
; assumed: not irreflexive anti ; (session ∪ txn(read_dependency))
(assert (not
          (forall ((t1 Transaction))
            (not
              (exists ((t2 Transaction))
                (and (anti t1 t2) (or (session t2 t1) (|txn(read_dependency)| t2 t1))))))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
