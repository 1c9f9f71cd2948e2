; L1.transfer.P2.lost
; statement: no schedule shows P2 whose image under π_J does not
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: some [committed] ; domain((reads_from − same_txn)⁻¹) ; (same_txn ∩ same_item) − (reads_from⁻¹ ; reads_from) ; domain((reads_from − same_txn)⁻¹) and empty [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ (same_item ∪ [judge] ; same_key ; [judge])) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-sort Key 0)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun log_from (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun item_read (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun log_seen (Access Access) Bool)
(declare-fun other_vote (Access Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun log_row (Access Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
; assumed: some [committed] ; domain((reads_from − same_txn)⁻¹) ; (same_txn ∩ same_item) − (reads_from⁻¹ ; reads_from) ; domain((reads_from − same_txn)⁻¹)
(assert (exists ((a1 Access) (a2 Access))
          (and
            (committed a1)
            (exists ((a3 Access))
              (and
                (reads_from a3 a1)
                (not
                  (and (= (initial a3) (initial a1)) (or (initial a3) (= (transaction a3) (transaction a1)))))))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (not (exists ((a4 Access)) (and (reads_from a4 a1) (reads_from a4 a2))))
            (exists ((a5 Access))
              (and
                (reads_from a5 a2)
                (not
                  (and (= (initial a5) (initial a2)) (or (initial a5) (= (transaction a5) (transaction a2))))))))))
; assumed: empty [committed] ; domain(((reads_from ∪ log_from) − same_txn)⁻¹) ; (same_txn ∩ (same_item ∪ [judge] ; same_key ; [judge])) − ((reads_from ∪ log_from)⁻¹ ; (reads_from ∪ log_from)) ; domain(((reads_from ∪ log_from) − same_txn)⁻¹)
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (committed a1)
              (exists ((a3 Access))
                (and
                  (or (reads_from a3 a1) (log_from a3 a1))
                  (not
                    (and
                      (= (initial a3) (initial a1))
                      (or (initial a3) (= (transaction a3) (transaction a1)))))))
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))
              (or
                (and (has_item a1) (has_item a2) (= (item a1) (item a2)))
                (and (judge a1) (has_key a1) (has_key a2) (= (key a1) (key a2)) (judge a2)))
              (not
                (exists ((a4 Access))
                  (and (or (reads_from a4 a1) (log_from a4 a1)) (or (reads_from a4 a2) (log_from a4 a2)))))
              (exists ((a5 Access))
                (and
                  (or (reads_from a5 a2) (log_from a5 a2))
                  (not
                    (and
                      (= (initial a5) (initial a2))
                      (or (initial a5) (= (transaction a5) (transaction a2)))))))))))
; axiom kinds.item_read-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (judge a1)))))
; axiom same_key.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_key a1) (has_key a2) (= (key a1) (key a2))))
              (not (judge a1))))))
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; definition: log_from is log_seen − other_vote (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (log_from a1 a2) (and (log_seen a1 a2) (not (other_vote a1 a2))))))
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
(check-sat)
