"""Algorithm 1 and Table 14 (Alg1.*): what they lose, how they log votes, which rules they keep, when they commit."""

from __future__ import annotations

from .audit_keys import AUDIT_KEY_CLAIM
from .model import Claim
from .write_path_log import LOG_CLAIMS
from .write_path_losses import LOSS_CLAIMS
from .write_path_pins import PIN_CLAIMS
from .write_path_rules import RULE_CLAIMS

CLAIMS: tuple[Claim, ...] = (*LOSS_CLAIMS, *LOG_CLAIMS, *RULE_CLAIMS, AUDIT_KEY_CLAIM, *PIN_CLAIMS)
