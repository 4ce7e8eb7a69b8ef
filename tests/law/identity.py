"""Who is who belongs to the edition (ENT-2): an id that a later document joins is read as what it became."""

from __future__ import annotations

from collections import defaultdict

_LIVE = (
    "SELECT service_id, resolves_to FROM serving.issued_id WHERE published_in <= %s AND superseded_in > %s"
)


class Identities:
    """Which id answers for which, in the newest edition of the whole world and in one of the growing one."""

    def __init__(self, grown, edition):
        self.edition = edition
        ((newest,),) = grown.whole.rows("SELECT max(edition) FROM serving.edition")
        whole = dict(grown.whole.rows(_LIVE, newest, newest))
        growing = dict(grown.growing.rows(_LIVE, edition, edition))
        # By the id as it was then: the one that answers for it now.
        self.became = {one: whole[one] for one in growing if whole.get(one, growing[one]) != growing[one]}
        self._now, self._then = (
            _groups({one: whole[one] for one in whole if one in growing}),
            _groups(growing),
        )

    def is_settled(self, one):
        """Return whether an id stands for the same organisation in both editions, under the same id."""
        moved = one in self.became or one in self.became.values()
        return not moved and self._now.get(one) == self._then.get(one)

    def renamed(self, value):
        """Return a row of the growing world with ids as they are now."""
        if isinstance(value, dict):
            return {name: self.renamed(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.renamed(one) for one in value]
        return self.became.get(value, value) if isinstance(value, str) else value


def _groups(survivors):
    """Return by each id all ids of its organisation."""
    members = defaultdict(set)
    for one, survivor in survivors.items():
        members[survivor].add(one)
    return {one: frozenset(members[survivor]) for one, survivor in survivors.items()}
