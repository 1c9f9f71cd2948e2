; T1.sound.CB.RC+cb
; statement: no schedule at RC+cb shows CB
; role: main (hypotheses: edges by name)
; shows: no schedule satisfies: some [by_await] − domain((program_order⁻¹ ; [callback] ; program_order⁻¹ ; [item_read]) ∩ same_item) and empty [by_await] − domain((program_order⁻¹ ; [callback] ; program_order⁻¹ ; [item_read]) ∩ same_item)
(set-info :smt-lib-version 2.6)
(set-logic UF)
(declare-sort Access 0)
(declare-sort Item 0)
(declare-fun by_await (Access) Bool)
(declare-fun program_order (Access Access) Bool)
(declare-fun callback (Access) Bool)
(declare-fun item_read (Access) Bool)
(declare-fun has_item (Access) Bool)
(declare-fun item (Access) Item)
; assumed: some [by_await] − domain((program_order⁻¹ ; [callback] ; program_order⁻¹ ; [item_read]) ∩ same_item)
(assert (exists ((a1 Access))
          (and
            (by_await a1)
            (not
              (exists ((a2 Access))
                (and
                  (exists ((a3 Access)) (and (program_order a3 a1) (callback a3) (program_order a2 a3)))
                  (item_read a2)
                  (has_item a1)
                  (has_item a2)
                  (= (item a1) (item a2))
                  (exists ((a4 Access)) (and (program_order a4 a1) (callback a4) (program_order a2 a4)))))))))
; assumed: empty [by_await] − domain((program_order⁻¹ ; [callback] ; program_order⁻¹ ; [item_read]) ∩ same_item)
(assert (not
          (exists ((a1 Access))
            (and
              (by_await a1)
              (not
                (exists ((a2 Access))
                  (and
                    (exists ((a3 Access)) (and (program_order a3 a1) (callback a3) (program_order a2 a3)))
                    (item_read a2)
                    (has_item a1)
                    (has_item a2)
                    (= (item a1) (item a2))
                    (exists ((a4 Access)) (and (program_order a4 a1) (callback a4) (program_order a2 a4))))))))))
(check-sat)
