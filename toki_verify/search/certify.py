"""Certificates of unbounded obligations: cvc5 is asked for a proof that the kernel can check (``toki_verify.proofs``).

cvc5 is not trusted here. The options keep its proofs to few rules: quantified formulas are left as they are written
(no miniscoping, prenexing or elimination of variables), rewriting is proved step by step, and every step states its
conclusion.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from ..proofs import Checked, check_proof
from .solvers import SolverMissing

OPTIONS: Final = {
    "produce-proofs": "true",
    "proof-format-mode": "cpc",
    "proof-granularity": "dsl-rewrite",
    "proof-print-conclusion": "true",
    "miniscope-quant": "off",
    "prenex-quant": "none",
    "var-elim-quant": "false",
    "simplification": "none",
    "static-learning": "false",
    "ite-lift-quant": "none",
    "cond-var-split-quant": "off",
    "quant-alpha-equiv": "false",
    "enum-inst": "true",
}
"""Options of cvc5 1.3 and later. ``enum-inst`` finds instances where triggers find none."""


class NoProof(RuntimeError):
    """No proof was found: what cvc5 answered instead of unsat, or that time ran out."""


def cpc_proof(text: str, seconds: float = 60.0) -> str:
    """A CPC proof by cvc5 that the assertions of an SMT-LIB text have no model. It is not checked.

    Raises :class:`SolverMissing` without cvc5, and :class:`NoProof` if cvc5 does not answer unsat in ``seconds``.
    """
    try:
        cvc5: Any = importlib.import_module("cvc5")
    except ImportError as missing:
        raise SolverMissing("cvc5") from missing
    solver = cvc5.Solver(cvc5.TermManager())
    for name, setting in OPTIONS.items():
        solver.setOption(name, setting)
    solver.setOption("tlimit-per", str(max(1, round(seconds * 1000))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answer = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            answer += str(command.invoke(solver, symbols))
    except RuntimeError as error:
        raise NoProof(f"cvc5 could not read the obligation: {error}") from error
    if answer.strip() != "unsat":
        raise NoProof(f"cvc5 answered {answer.strip() or 'nothing'} within {seconds:g} s, expected unsat")
    proof = solver.proofToString(solver.getProof()[0], cvc5.ProofFormat.CPC)
    return str(proof.decode() if isinstance(proof, bytes) else proof)


def certified(text: str, seconds: float = 60.0, *, file: str | None = None) -> tuple[str, Checked]:
    """A proof by cvc5 and what the kernel says of it, which read the two texts alone.

    Raises what :func:`cpc_proof` raises, and :class:`toki_verify.proofs.ProofError` if the kernel does not accept.
    """
    proof = cpc_proof(text, seconds)
    return proof, check_proof(text, proof, file=file)
