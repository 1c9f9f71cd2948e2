; T1.chain.session.CC-RA.case-1
; statement: every schedule at session:CC is at session:RA
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and irreflexive anti ; (session ∪ txn(read_dependency))⁺ and not irreflexive anti ; (session ∪ txn(read_dependency))
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun |plus session or txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
; assumed: irreflexive anti ; (session ∪ txn(read_dependency))⁺
(assert (forall ((t1 Transaction))
          (not (exists ((t2 Transaction)) (and (anti t1 t2) (|plus session or txn(read_dependency)| t2 t1))))))
; assumed: not irreflexive anti ; (session ∪ txn(read_dependency))
(assert (not
          (forall ((t1 Transaction))
            (not
              (exists ((t2 Transaction))
                (and (anti t1 t2) (or (session t2 t1) (|txn(read_dependency)| t2 t1))))))))
; closure of session ∪ txn(read_dependency): it holds a step
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (or (session t1 t2) (|txn(read_dependency)| t1 t2))
            (|plus session or txn(read_dependency)| t1 t2))))
(check-sat)
