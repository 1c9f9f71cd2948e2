; T1.sound.A3.SI.case-1
; statement: no schedule at SI shows A3
; role: main (hypotheses: definitions, axioms of versions and predicates)
; shows: no schedule satisfies: empty ([write] ; (before ∩ same_item) ; [write]) − same_txn − ended_before and empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn and acyclic dep ; anti? and some [committed] ; id − domain((same_txn ∩ same_item) ; [write]) ; ([matched] ; (same_txn ∩ same_item ∩ same_predicate) − same_event ; [unmatched])
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Transaction 0)
(declare-sort Time 0)
(declare-sort Item 0)
(declare-sort Predicate 0)
(declare-sort Event 0)
(declare-fun write (Access) Bool)
(declare-fun seen_from (Access Access) Bool)
(declare-fun initial (Access) Bool)
(declare-fun transaction (Access) Transaction)
(declare-fun committed_before (Access Access) Bool)
(declare-fun final (Access) Bool)
(declare-fun earlier (Time Time) Bool)
(declare-fun st1 (Transaction) Time)
(declare-fun ct1 (Transaction) Time)
(declare-fun dep (Transaction Transaction) Bool)
(declare-fun anti (Transaction Transaction) Bool)
(declare-fun committed (Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
(declare-fun matched (Access) Bool)
(declare-fun has_predicate (Access) Bool)
(declare-fun predicate (Access) Predicate)
(declare-fun event (Access) Event)
(declare-fun unmatched (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun installed (Access) Bool)
(declare-fun version_order (Access Access) Bool)
(declare-fun row_from (Access Access) Bool)
(declare-fun before (Access Access) Bool)
(declare-fun reads_from (Access Access) Bool)
(declare-fun ended_before (Access Access) Bool)
(declare-fun matches (Access Access) Bool)
(declare-fun changes_match (Access Access) Bool)
(declare-fun dependency (Access Access) Bool)
(declare-fun anti_dependency (Access Access) Bool)
(declare-fun predecessor_matches (Access Access) Bool)
(declare-fun wr (Access Access) Bool)
(declare-fun pwr (Access Access) Bool)
(declare-fun ww (Access Access) Bool)
(declare-fun rw (Access Access) Bool)
(declare-fun prw (Access Access) Bool)
(declare-fun next_version (Access Access) Bool)
(declare-fun later_version (Access Access) Bool)
; assumed: empty (([write] ; seen_from) − same_txn − committed_before) ∪ ([write] − [final]) ; ([write] ; seen_from) − same_txn
(assert (not
          (exists ((a1 Access) (a2 Access))
            (or
              (and
                (write a1)
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2)))))
                (not (committed_before a1 a2)))
              (and
                (write a1)
                (not (final a1))
                (seen_from a1 a2)
                (not
                  (and (= (initial a1) (initial a2)) (or (initial a1) (= (transaction a1) (transaction a2))))))))))
; assumed: acyclic dep ; anti?
(assert (and
          (forall ((t1 Transaction)) (earlier (st1 t1) (ct1 t1)))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (dep t1 t2) (earlier (ct1 t1) (st1 t2))))
          (forall ((t1 Transaction) (t2 Transaction)) (=> (anti t1 t2) (earlier (st1 t1) (ct1 t2))))))
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
; axiom kinds.item_read-initial: SEMANTICS §5: an access is of one kind
(assert (not (exists ((a1 Access)) (and (item_read a1) (initial a1)))))
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
; axiom final.last: SEMANTICS §1: the final version of a transaction and an item
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and
              (final a1)
              (program_order a1 a2)
              (has_item a1)
              (has_item a2)
              (= (item a1) (item a2))
              (write a2)))))
; axiom installed.final: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (installed a1) (not (and (final a1) (committed a1)))))))
; axiom installed.all: SEMANTICS §1: ≪ is total on the committed final versions of an item and begins with 0
(assert (not (exists ((a1 Access)) (and (final a1) (committed a1) (not (installed a1))))))
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
; axiom row.before: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access) (a2 Access)) (and (row_from a1 a2) (not (before a1 a2))))))
; axiom row.matched: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access) (a2 Access)) (and (row_from a1 a2) (matched a2) (not (reads_from a1 a2))))))
; axiom row.read: SEMANTICS §1: a read saw one version of its item, written before it
(assert (not (exists ((a1 Access) (a2 Access)) (and (reads_from a1 a2) (matched a2) (not (row_from a1 a2))))))
; axiom committed-before.ended: SEMANTICS §1: nothing of a transaction stands after its end
(assert (not
          (exists ((a1 Access) (a2 Access))
            (and (committed_before a1 a2) (not (and (committed a1) (ended_before a1 a2)))))))
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
; ranks: none is before itself
(assert (forall ((s1 Time)) (not (earlier s1 s1))))
; ranks: before is transitive
(assert (forall ((s1 Time) (s2 Time) (s3 Time)) (=> (and (earlier s1 s2) (earlier s2 s3)) (earlier s1 s3))))
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
; definition: changes_match is ((matches − predecessor_matches) ∪ (predecessor_matches − matches)) ; [installed] − [initial] (if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (and
              (or
                (and (matches a1 a2) (not (predecessor_matches a1 a2)))
                (and (predecessor_matches a1 a2) (not (matches a1 a2))))
              (installed a2)
              (not (initial a2)))
            (changes_match a1 a2))))
; definition: changes_match is ((matches − predecessor_matches) ∪ (predecessor_matches − matches)) ; [installed] − [initial] (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=>
            (changes_match a1 a2)
            (and
              (or
                (and (matches a1 a2) (not (predecessor_matches a1 a2)))
                (and (predecessor_matches a1 a2) (not (matches a1 a2))))
              (installed a2)
              (not (initial a2))))))
; definition: dependency is wr ∪ pwr ∪ ww (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (wr a1 a2) (pwr a1 a2) (ww a1 a2)) (dependency a1 a2))))
; definition: anti_dependency is rw ∪ prw (if)
(assert (forall ((a1 Access) (a2 Access)) (=> (or (rw a1 a2) (prw a1 a2)) (anti_dependency a1 a2))))
; definition: predecessor_matches is matches ; next_version (only if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (predecessor_matches a1 a2) (exists ((a3 Access)) (and (matches a1 a3) (next_version a3 a2))))))
; definition: predecessor_matches is matches ; next_version (if)
(assert (forall ((a1 Access) (a2 Access))
          (=> (exists ((a3 Access)) (and (matches a1 a3) (next_version a3 a2))) (predecessor_matches a1 a2))))
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
