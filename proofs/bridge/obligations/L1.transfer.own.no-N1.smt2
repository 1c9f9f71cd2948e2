; L1.transfer.own.no-N1
; statement: under H1, rows in transactions of their own, no schedule shows N1
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty same_key ∩ other_vote and some [committed] ; (same_key ∩ other_vote) ; [committed]
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun other_vote (Access Access) Bool)
(declare-fun committed (Access) Bool)
; assumed: empty same_key ∩ other_vote
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (has_key a1) (has_key a2) (= (key a1) (key a2)) (other_vote a1 a2)))))
; assumed: some [committed] ; (same_key ∩ other_vote) ; [committed]
(assert (exists ((a1 Access) (a2 Access))
          (and
            (committed a1)
            (has_key a1)
            (has_key a2)
            (= (key a1) (key a2))
            (other_vote a1 a2)
            (committed a2))))
(check-sat)
