"""Which tool a question sounds like, by the words of the tools' own descriptions: BM25, and no model."""

from __future__ import annotations

import math
import re
from collections import Counter

_WORD = re.compile(r"[a-z]+")
_ENDING = re.compile(r"(ments?|ings?|ed|ies|es|s|y|e)$")
_SHORT = 2
_SATURATION, _LENGTH = 1.2, 0.6


def words(text):
    """Return the words of a text without endings that grammar adds."""
    return [_ENDING.sub("", word) for word in _WORD.findall(text.lower()) if len(word) > _SHORT]


class Ranking:
    """Tools in the order in which a question sounds like them."""

    def __init__(self, tools):
        self._counts = {tool["name"]: Counter(words(_text(tool))) for tool in tools}
        self._mean = sum(counts.total() for counts in self._counts.values()) / len(tools)
        self._known = Counter(word for counts in self._counts.values() for word in counts)

    def of(self, question):
        asked = set(words(question))
        return sorted(self._counts, key=lambda name: -self._score(asked, self._counts[name]))

    def _score(self, asked, counts):
        length = 1 - _LENGTH + _LENGTH * counts.total() / self._mean
        score = 0.0
        for word in asked & counts.keys():
            rare = math.log(1 + (len(self._counts) - self._known[word] + 0.5) / (self._known[word] + 0.5))
            score += rare * counts[word] * (_SATURATION + 1) / (counts[word] + _SATURATION * length)
        return score


def _text(tool):
    arguments = tool["inputSchema"]["properties"]
    told = " ".join(f"{name} {schema.get('description', '')}" for name, schema in arguments.items())
    return f"{tool['name']} {tool['description']} {told}".replace("_", " ")
