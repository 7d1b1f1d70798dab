"""Figures that the project sets itself, and whether they were reached."""

import dataclasses
from dataclasses import dataclass
from typing import Optional

from .table import aligned, digits


@dataclass
class Target:
    """One figure: what was measured (None where something did not run) against its limit."""

    data: str
    what: str
    limit: float
    measured: Optional[float]
    at_most: bool = False

    @property
    def reached(self):
        """Yes, no, or unknown."""
        if self.measured is None:
            return None
        return self.measured <= self.limit if self.at_most else self.measured >= self.limit


def quotient(above, below):
    """above ÷ below, or None."""
    return above / below if above and below else None


def table(judged, of):
    """The targets for people; `of` names what `data` is."""
    rows = [[target.data, target.what, ("≤ " if target.at_most else "≥ ") + f"{target.limit:g}",
             "not measured" if target.measured is None else digits(target.measured, 4),
             {True: "yes", False: "no", None: ""}[target.reached]] for target in judged]
    return aligned(rows, left=2, head=[of, "target", "limit", "measured", "reached"])


def as_json(judged, of):
    """The targets for programs."""
    rows = [dataclasses.asdict(target) | {"reached": target.reached} for target in judged]
    return [{of: row.pop("data"), **row} for row in rows]
