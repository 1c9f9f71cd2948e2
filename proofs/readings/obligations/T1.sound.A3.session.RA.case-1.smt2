; T1.sound.A3.session.RA.case-1
; statement: no schedule at RA shows A3
; role: main (hypotheses: definitions, axioms of versions and predicates)
; shows: no schedule satisfies: empty ([write] − [committed]) ; ([write] ; seen_from) − same_txn ; [committed] and empty ([write] − [final]) ; ([write] ; seen_from) − same_txn ; [committed] and acyclic session ∪ txn(read_dependency) ∪ txn(ww) and irreflexive anti ; (session ∪ txn(read_dependency)) and some [committed] ; id − domain((same_txn ∩ same_item) ; [write]) ; ([matched] ; (same_txn ∩ same_item ∩ same_predicate) − same_event ; [unmatched])
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Item 0)
(declare-sort Predicate 0)
(declare-sort Event 0)
(declare-fun write (Access) Bool)
(declare-fun committed (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun final (Access) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun session (Transaction Transaction) Bool)
(declare-fun |txn(read_dependency)| (Transaction Transaction) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun matched (Access) Bool)
(declare-fun has_predicate (Access) Bool)
(declare-fun predicate (Access) Predicate)
(declare-fun event (Access) Event)
(declare-fun unmatched (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun installed (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun matches (Access Access) Bool)
(declare-fun changes_match (Access Access) Bool)
(declare-fun read_dependency (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun |txn(ww)| (Transaction Transaction) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun wr (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
(declare-fun later_version (Access Access) Bool)
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
; assumed: irreflexive anti ; (session ∪ txn(read_dependency))
(assert (forall ((t1 Transaction))
          (not
            (exists ((t2 Transaction)) (and (anti t1 t2) (or (session t2 t1) (|txn(read_dependency)| t2 t1)))))))
; assumed: some [committed] ; id − domain((same_txn ∩ same_item) ; [write]) ; ([matched] ; (same_txn ∩ same_item ∩ same_predicate) − same_event ; [unmatched])
(assert (exists ((a1 Access) (a2 Access))
          (and
            (committed a1)
            (not
              (exists ((a3 Access))
                (and
                  (= (initial a1) (initial a3))
                  (or (initial a1) (= (transaction a1) (transaction a3)))
                  (has_item a1)
                  (has_item a3)
                  (= (item a1) (item a3))
                  (write a3))))
            (matched a1)
            (= (initial a1) (initial a2))
            (or (initial a1) (= (transaction a1) (transaction a2)))
            (has_item a1)
            (has_item a2)
            (= (item a1) (item a2))
            (has_predicate a1)
            (has_predicate a2)
            (= (predicate a1) (predicate a2))
            (not (= (event a1) (event a2)))
            (unmatched a2))))
; axiom kinds.item_read-unmatched: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (unmatched a1)))))
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
; axiom final.version: SEMANTICS §1: the final version of a transaction and an item
(assert (not (exists ((a1 Access)) (and (final a1) (not (or (write a1) (initial a1)))))))
; axiom final.initial: SEMANTICS §1: the final version of a transaction and an item
(assert (not (exists ((a1 Access)) (and (initial a1) (not (final a1))))))
; axiom final.one: SEMANTICS §1: the final version of a transaction and an item
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (final a1)
              (= (initial a1) (initial a2))
              (or (initial a1) (= (transaction a1) (transaction a2)))
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (final a2)
              (not (= a1 a2))))))
; axiom installed.final: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (installed a1) (not (and (final a1) (committed a1)))))))
; axiom installed.all: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (final a1) (committed a1) (not (installed a1))))))
; axiom order.installed: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (version_order a1 a2) (not (and (installed a1) (version_order a1 a2) (installed a2)))))))
; axiom order.item: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (version_order a1 a2) (not (and (has_item a1) (has_item a2) (= (item a1) (item a2))))))))
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
; axiom row.version: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (row_from a1 a2)
              (not (and (or (write a1) (initial a1)) (row_from a1 a2) (or (matched a2) (unmatched a2))))))))
; axiom row.item: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (row_from a1 a2) (not (and (has_item a1) (has_item a2) (= (item a1) (item a2))))))))
; axiom row.one: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (exists ((a3 Access)) (and (row_from a1 a3) (row_from a2 a3))) (not (= a1 a2))))))
; axiom row.each: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not
          (exists ((a1 Access))
            (and (or (matched a1) (unmatched a1)) (not (exists ((a2 Access)) (row_from a2 a1)))))))
; axiom row.matched: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access) (a2 Access)) (and (row_from a1 a2) (matched a2) (not (reads_from a1 a2))))))
; axiom match.versions: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (matches a1 a2)
              (not
                (and
                  (or (matched a1) (unmatched a1))
                  (matches a1 a2)
                  (or (write a2) (initial a2))
                  (has_item a1)
                  (has_item a2)
                  (= (item a1) (item a2))))))))
; axiom match.listed: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not (exists ((a1 Access) (a2 Access)) (and (row_from a1 a2) (matched a2) (not (matches a2 a1))))))
; axiom match.unlisted: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not (exists ((a1 Access) (a2 Access)) (and (row_from a1 a2) (unmatched a2) (matches a2 a1)))))
; axiom match.predicate: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access))
                (and
                  (has_predicate a1)
                  (has_predicate a3)
                  (= (predicate a1) (predicate a3))
                  (has_item a1)
                  (has_item a3)
                  (= (item a1) (item a3))
                  (matches a3 a2)))
              (not (matches a1 a2))))))
; axiom match.changes: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (exists ((a3 Access))
                (and
                  (has_predicate a1)
                  (has_predicate a3)
                  (= (predicate a1) (predicate a3))
                  (has_item a1)
                  (has_item a3)
                  (= (item a1) (item a3))
                  (changes_match a3 a2)))
              (not (changes_match a1 a2))))))
; axiom match.first-loss: SEMANTICS §1, Predicates: the listed rows match, the others do not
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (matched a1)
              (exists ((a3 Access)) (and (matched a1) (row_from a3 a1) (version_order a3 a2)))
              (not (matches a1 a2))
              (not
                (exists ((a4 Access))
                  (and
                    (matched a1)
                    (exists ((a5 Access)) (and (row_from a5 a1) (version_order a5 a4)))
                    (changes_match a1 a4)
                    (not (matches a1 a4))
                    (or (version_order a4 a2) (= a4 a2)))))))))
; definition: seen_from is reads_from ∪ row_from (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (reads_from a1 a2) (row_from a1 a2)) (seen_from a1 a2))))
; definition: txn(read_dependency) is txn(read_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (read_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (|txn(read_dependency)| (transaction a1) (transaction a2)))))
; definition: txn(ww) is txn(ww) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and (not (initial a1)) (not (initial a2)) (ww a1 a2) (not (= (transaction a1) (transaction a2))))
            (|txn(ww)| (transaction a1) (transaction a2)))))
; definition: anti is txn(anti_dependency) (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (not (initial a1))
              (not (initial a2))
              (anti_dependency a1 a2)
              (not (= (transaction a1) (transaction a2))))
            (anti (transaction a1) (transaction a2)))))
; definition: read_dependency is wr ∪ pwr (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2)) (read_dependency a1 a2))))
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
; definition: pwr is ([write] ; (changes_match⁻¹ ∩ (version_order? ; row_from)) ; [committed]) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (write a1)
              (changes_match a2 a1)
              (exists ((a3 Access)) (and (or (version_order a1 a3) (= a1 a3)) (row_from a3 a2)))
              (committed a2)
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (pwr a1 a2))))
; definition: prw is ((([matched] ; later_version) − matches) ∪ (([unmatched] ; later_version) ∩ matches)) − same_txn (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (or
                (and (matched a1) (later_version a1 a2) (not (matches a1 a2)))
                (and (unmatched a1) (later_version a1 a2) (matches a1 a2)))
              (not
                (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))
            (prw a1 a2))))
; definition: later_version is [committed] ; row_from⁻¹ ; version_order (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (exists ((a3 Access)) (and (committed a1) (row_from a3 a1) (version_order a3 a2)))
            (later_version a1 a2))))
(check-sat)
