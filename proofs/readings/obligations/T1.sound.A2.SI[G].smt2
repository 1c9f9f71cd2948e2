; T1.sound.A2.SI[G]
; statement: no schedule at SI[G] shows A2
; role: main (hypotheses: definitions, existence: read)
; shows: no schedule satisfies: acyclic txn(ww) and empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic dep and acyclic dep ; anti? and some ([committed] ; ([item_read] ; (before ∩ same_item) ; [write]) − same_txn ; (reads_from ∩ committed_before)) ∩ same_txn
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Item 0)
(declare-fun write (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun final (Access) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun st3 (Transaction) Time)
(declare-fun ct3 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun reads_from (Access Access) Bool)
(declare-fun committed_before (Access Access) Bool)
(declare-fun installed (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun unmatched (Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun dependency (Access Access) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun wr (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
; assumed: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (write a1)
              (not (committed a1))
              (seen_from a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (committed a2)))))
; assumed: empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed]
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (write a1)
              (not (final a1))
              (seen_from a1 a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
              (committed a2)))))
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st3 t1) (ct3 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct3 t1) (st3 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st3 t1) (ct3 t2))))))
; assumed: some ([committed] ; ([item_read] ; (before ∩ same_item) ; [write]) − same_txn ; (reads_from ∩ committed_before)) ∩ same_txn
(assert (exists ((a1 Access) (a2 Access))
          (and
            (exists ((a3 Access))
              (and
                (committed a1)
                (item_read a1)
                (before a1 a3)
                (has_item a1)
                (has_item a3)
                (= (item a1) (item a3))
                (write a3)
                (not
                  (and (= (initial a1) (initial a3)) (or (initial a1) (= (transaction a1) (transaction a3)))))
                (reads_from a3 a2)
                (committed_before a3 a2)))
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2))))))
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
; axiom committed.initial: SEMANTICS §1: at most one of commit and abort
(assert (not (exists ((a1 Access)) (and (initial a1) (not (committed a1))))))
; axiom final.initial: SEMANTICS §1: the final version of a transaction and an item
(assert (not (exists ((a1 Access)) (and (initial a1) (not (final a1))))))
; axiom installed.all: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (final a1) (committed a1) (not (installed a1))))))
; axiom order.total: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (installed a1)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (installed a2)
              (not (= a1 a2))
              (not (or (version_order a1 a2) (version_order a2 a1)))))))
; axiom order.initial: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access) (a2 Access)) (and (version_order a1 a2) (initial a2)))))
; axiom read.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (reads_from a1 a2)
              (not (and (or (write a1) (initial a1)) (reads_from a1 a2) (item_read a2)))))))
; axiom read.item: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (reads_from a1 a2) (not (and (has_item a1) (has_item a2) (= (item a1) (item a2))))))))
; axiom read.one: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (exists ((a3 Access)) (and (reads_from a1 a3) (reads_from a2 a3))) (not (= a1 a2))))))
; axiom read.each: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access)) (and (item_read a1) (not (exists ((a2 Access)) (reads_from a2 a1)))))))
; axiom read.before: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access) (a2 Access)) (and (reads_from a1 a2) (not (before a1 a2))))))
; axiom own.reader: SEMANTICS §1: a transaction that has written x reads its own latest version of x
(assert (not
          (exists ((a1 Access) (a2 Access) (a3 Access))
            (and
              (write a1)
              (program_order a1 a3)
              (has_item a1)
              (has_item a3)
              (= (item a1) (item a3))
              (or (item_read a3) (unmatched a3))
              (seen_from a2 a3)
              (not
                (and (= (initial a2) (initial a3)) (or (initial a2) (= (transaction a2) (transaction a3)))))))))
; axiom before.irreflexive: SEMANTICS §1: a schedule is a total order of events
(assert (forall ((a1 Access)) (not (before a1 a1))))
; axiom before.transitive: SEMANTICS §1: a schedule is a total order of events
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (exists ((a3 Access)) (and (before a1 a3) (before a3 a2))) (not (before a1 a2))))))
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
; definition: seen_from is reads_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (reads_from a1 a2) (row_from a1 a2)) (seen_from a1 a2))))
; definition: dep is txn(dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (dep (transaction a1) (transaction a2)))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; definition: program_order is before ∩ same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (before a1 a2)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2))))
            (program_order a1 a2))))
; definition: dependency is wr ∪ pwr ∪ ww (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2) (ww a1 a2)) (dependency a1 a2))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
; definition: wr is ([write] ; [committed] ; reads_from ; [committed]) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (write a1)
              (committed a1)
              (reads_from a1 a2)
              (committed a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (wr a1 a2))))
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
(check-sat)
