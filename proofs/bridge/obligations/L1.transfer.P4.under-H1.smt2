; L1.transfer.P4.under-H1
; statement: under H1[return] no schedule without P4 has an image that shows it
; role: main (hypotheses: definitions, every axiom)
; shows: no schedule satisfies: empty (before ∩ same_key) ; [log_fill] and some (rw in π_J ; ww in π_J) ∩ same_txn and empty (rw ; ww) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Key 0)
(declare-sort Transaction 0)
(declare-fun before (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun log_fill (Access) Bool)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun |ww in <3c0>_J| (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun rw (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun installed (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun log_seen (Access Access) Bool)
(declare-fun other_vote (Access Access) Bool)
(declare-fun own_log_row (Access Access) Bool)
(declare-fun log_row (Access Access) Bool)
(declare-fun aborted (Access) Bool)
(declare-fun ended_before (Access Access) Bool)
; assumed: empty (before ∩ same_key) ; [log_fill]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (before a1 a2) (has_key a1) (has_key a2) (= (key a1) (key a2)) (log_fill a2)))))
; assumed: some (rw in π_J ; ww in π_J) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access)) (and (|rw in <3c0>_J| a1 a3) (|ww in <3c0>_J| a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; assumed: empty (rw ; ww) ∩ same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access)) (and (rw a1 a3) (ww a3 a2)))
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom kinds.write-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (judge a1)))))
; axiom kinds.initial-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (initial a1) (judge a1)))))
; axiom same_key.domain: SEMANTICS §5: what accesses share
(assert (not
          (exists ((a1 Access))
            (and
              (exists ((a2 Access)) (and (has_key a1) (has_key a2) (= (key a1) (key a2))))
              (not (judge a1))))))
; axiom final.version: SEMANTICS §1: the final version of a transaction and an item
(assert (not (exists ((a1 Access)) (and (final a1) (not (or (write a1) (initial a1)))))))
; axiom installed.final: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (installed a1) (not (and (final a1) (committed a1)))))))
; axiom order.installed: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (version_order a1 a2) (not (and (installed a1) (version_order a1 a2) (installed a2)))))))
; axiom order.initial: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access) (a2 Access)) (and (version_order a1 a2) (initial a2)))))
; definition: rw in π_J is ([committed] ; ((reads_from ∪ log_from) − same_txn)⁻¹ ; (version_order ∪ installed_fill ; (same_key ∩ before) ; installed_fill)) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (|rw in <3c0>_J| a1 a2)
            (and
              (exists ((a3 Access))
                (and
                  (committed a1)
                  (or (reads_from a3 a1) (log_from a3 a1))
                  (not
                    (and
                      (= (initial a3) (initial a1))
                      (or (initial a3) (= (transaction a3) (transaction a1)))))
                  (or
                    (version_order a3 a2)
                    (and
                      (log_fill a3)
                      (not
                        (exists ((a4 Access))
                          (and
                            (log_fill a3)
                            (program_order a3 a4)
                            (has_key a3)
                            (has_key a4)
                            (= (key a3) (key a4))
                            (log_fill a4))))
                      (committed a3)
                      (has_key a3)
                      (has_key a2)
                      (= (key a3) (key a2))
                      (before a3 a2)
                      (log_fill a2)
                      (not
                        (exists ((a5 Access))
                          (and
                            (log_fill a2)
                            (program_order a2 a5)
                            (has_key a2)
                            (has_key a5)
                            (= (key a2) (key a5))
                            (log_fill a5))))
                      (committed a2)))))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; definition: ww in π_J is (([write] ∪ [log_fill]) ; (version_order ∪ installed_fill ; (same_key ∩ before) ; installed_fill)) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (|ww in <3c0>_J| a1 a2)
            (and
              (or (write a1) (log_fill a1))
              (or
                (version_order a1 a2)
                (and
                  (log_fill a1)
                  (not
                    (exists ((a3 Access))
                      (and
                        (log_fill a1)
                        (program_order a1 a3)
                        (has_key a1)
                        (has_key a3)
                        (= (key a1) (key a3))
                        (log_fill a3))))
                  (committed a1)
                  (has_key a1)
                  (has_key a2)
                  (= (key a1) (key a2))
                  (before a1 a2)
                  (log_fill a2)
                  (not
                    (exists ((a4 Access))
                      (and
                        (log_fill a2)
                        (program_order a2 a4)
                        (has_key a2)
                        (has_key a4)
                        (= (key a2) (key a4))
                        (log_fill a4))))
                  (committed a2)))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; definition: rw is ([committed] ; (reads_from − same_txn)⁻¹ ; version_order) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (exists ((a3 Access))
                (and
                  (committed a1)
                  (reads_from a3 a1)
                  (not
                    (and
                      (= (initial a3) (initial a1))
                      (or (initial a3) (= (transaction a3) (transaction a1)))))
                  (version_order a3 a2)))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (rw a1 a2))))
; definition: ww is ([write] ; version_order) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (write a1)
              (version_order a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (ww a1 a2))))
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
