; L1.transfer.P4.lost
; statement: no schedule shows P4 whose image under π_J does not
; role: main (hypotheses: definitions)
; shows: no schedule satisfies: some (rw ; ww) ∩ same_txn and empty (rw in π_J ; ww in π_J) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Key 0)
(declare-fun rw (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun |rw in <3c0>_J| (Access Access) Bool)
(declare-fun |ww in <3c0>_J| (Access Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun write (Access) Bool)
(declare-fun log_from (Access Access) Bool)
(declare-fun log_fill (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun has_key (Access) Bool)
(declare-fun key (Access) Key)
(declare-fun before (Access Access) Bool)
; assumed: some (rw ; ww) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access)) (and (rw a1 a3) (ww a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; assumed: empty (rw in π_J ; ww in π_J) ∩ same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access)) (and (|rw in <3c0>_J| a1 a3) (|ww in <3c0>_J| a3 a2)))
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))))))
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
; definition: ww is ([write] ; version_order) − same_txn (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (ww a1 a2)
            (and
              (write a1)
              (version_order a1 a2)
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
; definition: ww in π_J is (([write] ∪ [log_fill]) ; (version_order ∪ installed_fill ; (same_key ∩ before) ; installed_fill)) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
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
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (|ww in <3c0>_J| a1 a2))))
(check-sat)
