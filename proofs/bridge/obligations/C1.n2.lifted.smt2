; C1.n2.lifted
; statement: no schedule whose anti-dependencies between partitions as items have no cycle shows N2[lifted]
; role: main (hypotheses: edges by name, axioms)
; shows: no schedule satisfies: acyclic txn((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) and some (((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) ; (same_txn ∩ same_partition) ; (([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Access 0)
(declare-sort Partition 0)
(declare-fun |txn((([committed] - domain((((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before)) and same_txn) - (((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before) - same_txn) ; (before^-1 and same_partition)))) ; ((([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before))) - same_txn)| (Transaction Transaction) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun rank1 (Transaction) Time)
(declare-fun committed (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun has_partition (Access) Bool)
(declare-fun partition (Access) Partition)
(declare-fun partition_final (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
; assumed: acyclic txn((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn)
(assert (forall ((t1 Transaction) (t2 Transaction))
          (=>
            (|txn((([committed] - domain((((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before)) and same_txn) - (((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before) - same_txn) ; (before^-1 and same_partition)))) ; ((([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before))) - same_txn)| t1 t2)
            (earlier (rank1 t1) (rank1 t2)))))
; assumed: some (((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) ; (same_txn ∩ same_partition) ; (([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (exists ((a4 Access))
                  (and
                    (committed a1)
                    (not
                      (exists ((a5 Access))
                        (and
                          (or (item_read a1) (unmatched a1))
                          (has_partition a1)
                          (has_partition a5)
                          (= (partition a1) (partition a5))
                          (partition_final a5)
                          (not
                            (and
                              (or (item_read a1) (unmatched a1))
                              (has_partition a1)
                              (has_partition a5)
                              (= (partition a1) (partition a5))
                              (partition_final a5)
                              (or
                                (before a1 a5)
                                (exists ((a6 Access))
                                  (and (or (reads_from a6 a1) (row_from a6 a1)) (version_order a6 a5)))
                                (exists ((a7 Access))
                                  (and
                                    (exists ((a8 Access))
                                      (and (or (reads_from a8 a1) (row_from a8 a1)) (version_order a8 a7)))
                                    (before a7 a5))))))
                          (= (initial a1) (initial a5))
                          (or (initial a1) (= (transaction a1) (transaction a5)))
                          (not
                            (exists ((a9 Access))
                              (and
                                (or (item_read a1) (unmatched a1))
                                (has_partition a1)
                                (has_partition a9)
                                (= (partition a1) (partition a9))
                                (partition_final a9)
                                (not
                                  (and
                                    (or (item_read a1) (unmatched a1))
                                    (has_partition a1)
                                    (has_partition a9)
                                    (= (partition a1) (partition a9))
                                    (partition_final a9)
                                    (or
                                      (before a1 a9)
                                      (exists ((a10 Access))
                                        (and
                                          (or (reads_from a10 a1) (row_from a10 a1))
                                          (version_order a10 a9)))
                                      (exists ((a11 Access))
                                        (and
                                          (exists ((a12 Access))
                                            (and
                                              (or (reads_from a12 a1) (row_from a12 a1))
                                              (version_order a12 a11)))
                                          (before a11 a9))))))
                                (not
                                  (and
                                    (= (initial a1) (initial a9))
                                    (or (initial a1) (= (transaction a1) (transaction a9)))))
                                (before a5 a9)
                                (has_partition a5)
                                (= (partition a9) (partition a5)))))
                          (not
                            (and
                              (or (item_read a1) (unmatched a1))
                              (has_partition a1)
                              (has_partition a5)
                              (= (partition a1) (partition a5))
                              (partition_final a5)
                              (or
                                (before a1 a5)
                                (exists ((a13 Access))
                                  (and (or (reads_from a13 a1) (row_from a13 a1)) (version_order a13 a5)))
                                (exists ((a14 Access))
                                  (and
                                    (exists ((a15 Access))
                                      (and (or (reads_from a15 a1) (row_from a15 a1)) (version_order a15 a14)))
                                    (before a14 a5))))))
                          (not
                            (exists ((a16 Access))
                              (and
                                (or (item_read a1) (unmatched a1))
                                (has_partition a1)
                                (has_partition a16)
                                (= (partition a1) (partition a16))
                                (partition_final a16)
                                (not
                                  (and
                                    (or (item_read a1) (unmatched a1))
                                    (has_partition a1)
                                    (has_partition a16)
                                    (= (partition a1) (partition a16))
                                    (partition_final a16)
                                    (or
                                      (before a1 a16)
                                      (exists ((a17 Access))
                                        (and
                                          (or (reads_from a17 a1) (row_from a17 a1))
                                          (version_order a17 a16)))
                                      (exists ((a18 Access))
                                        (and
                                          (exists ((a19 Access))
                                            (and
                                              (or (reads_from a19 a1) (row_from a19 a1))
                                              (version_order a19 a18)))
                                          (before a18 a16))))))
                                (not
                                  (and
                                    (= (initial a1) (initial a16))
                                    (or (initial a1) (= (transaction a1) (transaction a16)))))
                                (before a5 a16)
                                (has_partition a5)
                                (= (partition a16) (partition a5))))))))
                    (or (item_read a1) (unmatched a1))
                    (has_partition a1)
                    (has_partition a4)
                    (= (partition a1) (partition a4))
                    (partition_final a4)
                    (or
                      (before a1 a4)
                      (exists ((a20 Access))
                        (and (or (reads_from a20 a1) (row_from a20 a1)) (version_order a20 a4)))
                      (exists ((a21 Access))
                        (and
                          (exists ((a22 Access))
                            (and (or (reads_from a22 a1) (row_from a22 a1)) (version_order a22 a21)))
                          (before a21 a4))))
                    (not
                      (and
                        (= (initial a1) (initial a4))
                        (or (initial a1) (= (transaction a1) (transaction a4)))))
                    (= (initial a4) (initial a3))
                    (or (initial a4) (= (transaction a4) (transaction a3)))
                    (has_partition a3)
                    (= (partition a4) (partition a3))))
                (committed a3)
                (not
                  (exists ((a23 Access))
                    (and
                      (or (item_read a3) (unmatched a3))
                      (has_partition a3)
                      (has_partition a23)
                      (= (partition a3) (partition a23))
                      (partition_final a23)
                      (not
                        (and
                          (or (item_read a3) (unmatched a3))
                          (has_partition a3)
                          (has_partition a23)
                          (= (partition a3) (partition a23))
                          (partition_final a23)
                          (or
                            (before a3 a23)
                            (exists ((a24 Access))
                              (and (or (reads_from a24 a3) (row_from a24 a3)) (version_order a24 a23)))
                            (exists ((a25 Access))
                              (and
                                (exists ((a26 Access))
                                  (and (or (reads_from a26 a3) (row_from a26 a3)) (version_order a26 a25)))
                                (before a25 a23))))))
                      (= (initial a3) (initial a23))
                      (or (initial a3) (= (transaction a3) (transaction a23)))
                      (not
                        (exists ((a27 Access))
                          (and
                            (or (item_read a3) (unmatched a3))
                            (has_partition a3)
                            (has_partition a27)
                            (= (partition a3) (partition a27))
                            (partition_final a27)
                            (not
                              (and
                                (or (item_read a3) (unmatched a3))
                                (has_partition a3)
                                (has_partition a27)
                                (= (partition a3) (partition a27))
                                (partition_final a27)
                                (or
                                  (before a3 a27)
                                  (exists ((a28 Access))
                                    (and (or (reads_from a28 a3) (row_from a28 a3)) (version_order a28 a27)))
                                  (exists ((a29 Access))
                                    (and
                                      (exists ((a30 Access))
                                        (and
                                          (or (reads_from a30 a3) (row_from a30 a3))
                                          (version_order a30 a29)))
                                      (before a29 a27))))))
                            (not
                              (and
                                (= (initial a3) (initial a27))
                                (or (initial a3) (= (transaction a3) (transaction a27)))))
                            (before a23 a27)
                            (has_partition a23)
                            (= (partition a27) (partition a23)))))
                      (not
                        (and
                          (or (item_read a3) (unmatched a3))
                          (has_partition a3)
                          (has_partition a23)
                          (= (partition a3) (partition a23))
                          (partition_final a23)
                          (or
                            (before a3 a23)
                            (exists ((a31 Access))
                              (and (or (reads_from a31 a3) (row_from a31 a3)) (version_order a31 a23)))
                            (exists ((a32 Access))
                              (and
                                (exists ((a33 Access))
                                  (and (or (reads_from a33 a3) (row_from a33 a3)) (version_order a33 a32)))
                                (before a32 a23))))))
                      (not
                        (exists ((a34 Access))
                          (and
                            (or (item_read a3) (unmatched a3))
                            (has_partition a3)
                            (has_partition a34)
                            (= (partition a3) (partition a34))
                            (partition_final a34)
                            (not
                              (and
                                (or (item_read a3) (unmatched a3))
                                (has_partition a3)
                                (has_partition a34)
                                (= (partition a3) (partition a34))
                                (partition_final a34)
                                (or
                                  (before a3 a34)
                                  (exists ((a35 Access))
                                    (and (or (reads_from a35 a3) (row_from a35 a3)) (version_order a35 a34)))
                                  (exists ((a36 Access))
                                    (and
                                      (exists ((a37 Access))
                                        (and
                                          (or (reads_from a37 a3) (row_from a37 a3))
                                          (version_order a37 a36)))
                                      (before a36 a34))))))
                            (not
                              (and
                                (= (initial a3) (initial a34))
                                (or (initial a3) (= (transaction a3) (transaction a34)))))
                            (before a23 a34)
                            (has_partition a23)
                            (= (partition a34) (partition a23))))))))
                (or (item_read a3) (unmatched a3))
                (has_partition a3)
                (has_partition a2)
                (= (partition a3) (partition a2))
                (partition_final a2)
                (or
                  (before a3 a2)
                  (exists ((a38 Access))
                    (and (or (reads_from a38 a3) (row_from a38 a3)) (version_order a38 a2)))
                  (exists ((a39 Access))
                    (and
                      (exists ((a40 Access))
                        (and (or (reads_from a40 a3) (row_from a40 a3)) (version_order a40 a39)))
                      (before a39 a2))))
                (not
                  (and (= (initial a3) (initial a2)) (or (initial a3) (= (transaction a3) (transaction a2)))))))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
; axiom kinds.item_read-initial: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (initial a1)))))
; axiom kinds.unmatched-initial: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (unmatched a1) (initial a1)))))
; definition: txn((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) is txn((([committed] − domain((((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before)) ∩ same_txn) − (((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) − (([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before) − same_txn) ; (before⁻¹ ∩ same_partition)))) ; ((([item_read] ∪ [unmatched]) ; same_partition ; [partition_final]) ∩ (before ∪ (reads_from ∪ row_from)⁻¹ ; version_order ∪ (reads_from ∪ row_from)⁻¹ ; version_order ; before))) − same_txn) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (committed a1)
              (not
                (exists ((a3 Access))
                  (and
                    (or (item_read a1) (unmatched a1))
                    (has_partition a1)
                    (has_partition a3)
                    (= (partition a1) (partition a3))
                    (partition_final a3)
                    (not
                      (and
                        (or (item_read a1) (unmatched a1))
                        (has_partition a1)
                        (has_partition a3)
                        (= (partition a1) (partition a3))
                        (partition_final a3)
                        (or
                          (before a1 a3)
                          (exists ((a4 Access))
                            (and (or (reads_from a4 a1) (row_from a4 a1)) (version_order a4 a3)))
                          (exists ((a5 Access))
                            (and
                              (exists ((a6 Access))
                                (and (or (reads_from a6 a1) (row_from a6 a1)) (version_order a6 a5)))
                              (before a5 a3))))))
                    (= (initial a1) (initial a3))
                    (or (initial a1) (= (transaction a1) (transaction a3)))
                    (not
                      (exists ((a7 Access))
                        (and
                          (or (item_read a1) (unmatched a1))
                          (has_partition a1)
                          (has_partition a7)
                          (= (partition a1) (partition a7))
                          (partition_final a7)
                          (not
                            (and
                              (or (item_read a1) (unmatched a1))
                              (has_partition a1)
                              (has_partition a7)
                              (= (partition a1) (partition a7))
                              (partition_final a7)
                              (or
                                (before a1 a7)
                                (exists ((a8 Access))
                                  (and (or (reads_from a8 a1) (row_from a8 a1)) (version_order a8 a7)))
                                (exists ((a9 Access))
                                  (and
                                    (exists ((a10 Access))
                                      (and (or (reads_from a10 a1) (row_from a10 a1)) (version_order a10 a9)))
                                    (before a9 a7))))))
                          (not
                            (and
                              (= (initial a1) (initial a7))
                              (or (initial a1) (= (transaction a1) (transaction a7)))))
                          (before a3 a7)
                          (has_partition a3)
                          (= (partition a7) (partition a3)))))
                    (not
                      (and
                        (or (item_read a1) (unmatched a1))
                        (has_partition a1)
                        (has_partition a3)
                        (= (partition a1) (partition a3))
                        (partition_final a3)
                        (or
                          (before a1 a3)
                          (exists ((a11 Access))
                            (and (or (reads_from a11 a1) (row_from a11 a1)) (version_order a11 a3)))
                          (exists ((a12 Access))
                            (and
                              (exists ((a13 Access))
                                (and (or (reads_from a13 a1) (row_from a13 a1)) (version_order a13 a12)))
                              (before a12 a3))))))
                    (not
                      (exists ((a14 Access))
                        (and
                          (or (item_read a1) (unmatched a1))
                          (has_partition a1)
                          (has_partition a14)
                          (= (partition a1) (partition a14))
                          (partition_final a14)
                          (not
                            (and
                              (or (item_read a1) (unmatched a1))
                              (has_partition a1)
                              (has_partition a14)
                              (= (partition a1) (partition a14))
                              (partition_final a14)
                              (or
                                (before a1 a14)
                                (exists ((a15 Access))
                                  (and (or (reads_from a15 a1) (row_from a15 a1)) (version_order a15 a14)))
                                (exists ((a16 Access))
                                  (and
                                    (exists ((a17 Access))
                                      (and (or (reads_from a17 a1) (row_from a17 a1)) (version_order a17 a16)))
                                    (before a16 a14))))))
                          (not
                            (and
                              (= (initial a1) (initial a14))
                              (or (initial a1) (= (transaction a1) (transaction a14)))))
                          (before a3 a14)
                          (has_partition a3)
                          (= (partition a14) (partition a3))))))))
              (or (item_read a1) (unmatched a1))
              (has_partition a1)
              (has_partition a2)
              (= (partition a1) (partition a2))
              (partition_final a2)
              (or
                (before a1 a2)
                (exists ((a18 Access))
                  (and (or (reads_from a18 a1) (row_from a18 a1)) (version_order a18 a2)))
                (exists ((a19 Access))
                  (and
                    (exists ((a20 Access))
                      (and (or (reads_from a20 a1) (row_from a20 a1)) (version_order a20 a19)))
                    (before a19 a2))))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (not (= (transaction a1) (transaction a2))))
            (|txn((([committed] - domain((((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before)) and same_txn) - (((([item_read] or [unmatched]) ; same_partition ; [partition_final]) - (([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before) - same_txn) ; (before^-1 and same_partition)))) ; ((([item_read] or [unmatched]) ; same_partition ; [partition_final]) and (before or (reads_from or row_from)^-1 ; version_order or (reads_from or row_from)^-1 ; version_order ; before))) - same_txn)| (transaction a1) (transaction a2)))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
(check-sat)
