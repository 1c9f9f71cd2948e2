; L1.n1.refill-differs
; statement: where every row that a call could see is committed, a committed fill that could see one comes with N1
; role: main (hypotheses: definitions, every axiom)
; shows: no schedule satisfies: empty unknown_vote and within judge_log: (empty [item_read] ∪ [unmatched] ∪ [write]) and empty log_row − same_txn − committed_before and some log_row ; ([log_fill] ; [committed]) and empty [committed] ; (same_key ∩ other_vote) ; [committed]
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Key 0)
(declare-fun log_row (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun other_vote (Access Access) Bool)
(declare-fun ended_before (Access Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun log_seen (Access Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun judge (Access) Bool)
; assumed: empty log_row − same_txn − committed_before
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (log_row a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (committed_before a1 a2))))))
; assumed: some log_row ; ([log_fill] ; [committed])
(assert (exists ((a1 Access) (a2 Access)) (and (log_row a1 a2) (log_fill a2) (committed a2))))
; assumed: empty [committed] ; (same_key ∩ other_vote) ; [committed]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (committed a1)
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))
              (other_vote a1 a2)
              (committed a2)))))
; axiom committed.txn: SEMANTICS §1: at most one of commit and abort
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (committed a1)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))
              (not
                (and
                  (= (initial a1) (initial a2))
                  (or (initial a1) (= (transaction a1) (transaction a2)))
                  (committed a2)))))))
; axiom committed-before.ended: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (committed_before a1 a2) (not (and (committed a1) (ended_before a1 a2)))))))
; axiom log.once: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not (exists ((a1 Access) (a2 Access)) (and (log_from a1 a2) (log_fill a2)))))
; axiom log.latest: SEMANTICS §1, §6: known votes are the same or differ; a judge call fills a row of the log or reads one
(assert (not
          (exists ((a1 Access))
            (and (exists ((a2 Access)) (log_row a2 a1)) (not (exists ((a3 Access)) (log_seen a3 a1)))))))
; definition: log_row is [log_fill] ; (same_key ∩ before) − ([aborted] ; ended_before) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (log_row a1 a2)
            (and
              (log_fill a1)
              (has_key a1)
              (has_key a2)
              (= (key a1) (key a2))
              (before a1 a2)
              (not (and (aborted a1) (ended_before a1 a2)))))))
; definition: log_from is log_seen − other_vote (if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (and (log_seen a1 a2) (not (other_vote a1 a2))) (log_from a1 a2))))
; definition: log_seen is (own_log_row − (before ; own_log_row)) ∪ (log_row − (before ; log_row)) ; [judge] − domain(own_log_row⁻¹) (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (log_seen a1 a2)
            (or
              (and (own_log_row a1 a2) (not (exists ((a3 Access)) (and (before a1 a3) (own_log_row a3 a2)))))
              (and
                (log_row a1 a2)
                (not (exists ((a4 Access)) (and (before a1 a4) (log_row a4 a2))))
                (judge a2)
                (not (exists ((a5 Access)) (own_log_row a5 a2))))))))
; definition: own_log_row is log_row ∩ same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (own_log_row a1 a2)
            (and
              (log_row a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
(check-sat)
