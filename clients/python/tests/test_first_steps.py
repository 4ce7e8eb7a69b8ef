"""The first things that a new user does without a browser, each in two steps."""

from __future__ import annotations

from decimal import Decimal

from sankofa_client import Client
from support.mcp_client import Agent
from support.tasks import Task


def test_a_first_panel_in_python(demo, key):
    task = Task("first Python panel", 2)
    with task.do(Client, demo.api.url, key=key) as client, client.as_of("2024-03-14"):
        panel = client.panel(line_item="revenue,net_income", country="KE", fiscal_year="2022")
        table = task.do(panel.to_pandas)
    task.end()
    revenue = table[table.line_item == "revenue"].set_index("legal_name").value_reported
    assert revenue["Nyalumera Foods Holdings PLC"] == 1_150_000_000  # before it was restated


def test_a_first_answer_of_an_agent(demo, key):
    task = Task("first agent answer", 2)
    agent = Agent(demo, key=key)
    found, *_ = task.do(agent.answer, "search_entities", query="Nyalumera Foods")["data"]
    answer = task.do(
        agent.answer,
        "get_fundamentals",
        service_id=found["service_id"],
        line_item="revenue",
        fiscal_year="2022",
        as_of="2024-03-14",
    )
    task.end()
    agent.close()
    assert [Decimal(row["value_reported"]) for row in answer["data"]] == [1_150_000_000]
