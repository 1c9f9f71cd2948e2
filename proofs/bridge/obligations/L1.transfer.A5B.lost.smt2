; L1.transfer.A5B.lost
; statement: no schedule shows A5B whose image under π_J does not
; role: main (hypotheses: definitions)
; shows: no schedule satisfies: some (rw ; same_txn − same_item ; rw) ∩ same_txn and empty (rw in π_J ; same_txn − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-sort Key 0)
(declare-fun rw (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun judge (Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun item_read (Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun before (Access Access) Bool)
; assumed: some (rw ; same_txn − same_item ; rw) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (rw a1 a4)
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (not (and (has_item a4) (has_item a3) (= (item a4) (item a3))))))
                (rw a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; assumed: empty (rw in π_J ; same_txn − (same_item ∪ [judge] ; same_key ; [judge]) ; rw in π_J) ∩ same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access))
                (and
                  (exists ((a4 Access))
                    (and
                      (|rw in <3c0>_J| a1 a4)
                      (= (initial a4) (initial a3))
                      (or (initial a4) (= (transaction a4) (transaction a3)))
                      (not
                        (or
                          (and (has_item a4) (has_item a3) (= (item a4) (item a3)))
                          (and (judge a4) (has_key a4) (has_key a3) (= (key a4) (key a3)) (judge a3))))))
                  (|rw in <3c0>_J| a3 a2)))
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
; axiom kinds.item_read-judge: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (judge a1)))))
; axiom kinds.write-initial: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (write a1) (initial a1)))))
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; definition: rw is ([committed] ; (reads_from − same_txn)⁻¹ ; version_order) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (rw a1 a2)
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
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))))))
; definition: rw in π_J is ([committed] ; ((reads_from ∪ log_from) − same_txn)⁻¹ ; (version_order ∪ installed_fill ; (same_key ∩ before) ; installed_fill)) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
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
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (|rw in <3c0>_J| a1 a2))))
(check-sat)
