"""MCP-6: sixty questions, asked by plans and by a script that goes by the tools' descriptions."""

from __future__ import annotations

import re
import statistics
import tomllib
from pathlib import Path

import pytest

from agents.ranking import Ranking
from support.mcp_client import Agent

_FOLDER = Path(__file__).parents[1] / "agents"
QUESTIONS = tomllib.loads((_FOLDER / "questions.toml").read_text())["question"]
_REFERENCE = re.compile(r"\$(\d)\.(\w+)")
_MOST_TRIES = 5  # tools that the script calls before it gives up


@pytest.fixture(scope="module")
def tools(demo):
    agent = Agent(demo)
    listed = agent.send("tools/list").result["tools"]
    agent.close()
    return listed


class Asking:
    """One question under way: calls, bytes of answers, and the answers themselves."""

    def __init__(self, agent):
        self.agent = agent
        self.answers = []
        self.bytes = 0
        self.calls = 0

    def call(self, step):
        arguments = {name: self._resolved(value) for name, value in step["with"].items()}
        reply = self.agent.send("tools/call", {"name": step["tool"], "arguments": arguments})
        self.calls += 1
        self.bytes += len(reply.text)
        return reply

    def plan(self, question):
        for step in question["plan"]:
            self.answers.append(self.call(step).answer)
        return self.answers[-1]

    def _resolved(self, value):
        reference = _REFERENCE.fullmatch(str(value))
        return rows(self.answers[int(reference[1]) - 1])[0][reference[2]] if reference else value


def rows(answer):
    return answer["observations"] if "observations" in answer else answer["data"]


def is_answered(question, answer):
    """Whether the envelope, or one row of it, holds all that is expected."""
    expected = question["holds"]
    return any(
        all(str({**answer, **row}[name]) == value for name, value in expected.items())
        for row in [*rows(answer), {}]
        if expected.keys() <= {**answer, **row}.keys()
    )


@pytest.mark.proves("MCP-6")
def test_plans_answer_every_question_in_two_calls_and_six_kilobytes(demo):
    calls, sizes, wrong = [], [], []
    for question in QUESTIONS:
        agent = Agent(demo)
        asking = Asking(agent)
        if not is_answered(question, answer := asking.plan(question)):
            wrong.append((question["asks"], question["holds"], str(rows(answer))[:300]))
        agent.close()
        calls.append(asking.calls)
        sizes.append(asking.bytes)
        print(f"{asking.calls} calls {asking.bytes:>6,} bytes  {question['asks']}")
    print(f"median: {statistics.median(calls)} calls, {statistics.median(sizes):,} bytes")
    assert wrong == []
    assert len(QUESTIONS) == 60
    assert statistics.median(calls) <= 2
    assert statistics.median(sizes) < 6_000


@pytest.mark.proves("MCP-6")
def test_descriptions_lead_a_script_to_the_answer(demo, tools):
    """A script that knows no plan calls the tool that a question sounds like most, then the next one."""
    ranking, calls, sizes, answered = Ranking(tools), [], [], 0
    takes = {tool["name"]: tool["inputSchema"]["properties"] for tool in tools}
    for question in QUESTIONS:
        agent = Agent(demo)
        asking = Asking(agent)
        *before, last = question["plan"]
        for step in before:  # the organisation, and what else the last call needs to know
            asking.answers.append(asking.call(step).answer)
        order = [
            name for name in ranking.of(question["asks"]) if name not in {step["tool"] for step in before}
        ]
        for name in order[:_MOST_TRIES]:
            known = {word: value for word, value in last["with"].items() if word in takes[name]}
            reply = asking.call({"tool": name, "with": known})
            if not reply.is_error and is_answered(question, reply.answer):
                answered += 1
                break
        agent.close()
        calls.append(asking.calls)
        sizes.append(asking.bytes)
        print(f"{asking.calls} calls {asking.bytes:>6,} bytes, {name:22} {question['asks']}")
    print(
        f"answered {answered} of 60; "
        f"median: {statistics.median(calls)} calls, {statistics.median(sizes):,} bytes"
    )
    assert answered >= 54
    assert statistics.median(calls) <= 3
    assert statistics.median(sizes) < 6_000


def test_every_tool_is_asked_for_by_a_question(tools):
    used = {step["tool"] for question in QUESTIONS for step in question["plan"]}
    assert used == {tool["name"] for tool in tools}
