"""The model of capacity: cases that can be computed by hand, and the rates that were measured."""

from __future__ import annotations

import pytest

from bench.capacity import growth, measured
from bench.capacity.growth import Kind, Load, Unit
from bench.capacity.network import Demand, rate
from bench.capacity.page import PAGE, section, simulated
from bench.section import replaced


def about(expected):
    return pytest.approx(expected, rel=0.04)


@pytest.mark.parametrize(
    ("workers", "cores", "expected"),
    [(1, 2, 1_000), (2, 2, 2_000), (4, 2, 2_000), (4, 4, 4_000), (1, 0.5, 500)],
)
def test_workers_and_cores_bound_the_rate(workers, cores, expected):
    assert rate(Demand(api=0.001), workers=workers, connections=16, cores=cores) == about(expected)


def test_the_slowest_part_that_does_one_thing_at_a_time_bounds_the_rate():
    demand = Demand(api=0.001, redis=0.004)
    assert rate(demand, workers=4, connections=32, cores=64) == about(250)


def test_postgres_serves_each_connection_by_a_process_of_its_own():
    demand = Demand(api=1e-6, postgres=0.010)
    assert rate(demand, workers=1, connections=8, cores=8) == about(800)


def test_one_connection_waits_for_every_part_in_turn():
    demand = Demand(api=0.001, postgres=0.002, redis=0.003, load=0.004)
    assert rate(demand, workers=1, connections=1, cores=2) == about(100)


def test_two_equal_parts_and_two_connections_give_two_thirds():
    """The closed form for M equal stations and N customers: N / (N + M - 1) of the rate of one station."""
    demand = Demand(api=0, redis=0.001, load=0.001)
    assert rate(demand, workers=1, connections=2, cores=2) == about(2_000 / 3)


def test_a_mix_is_the_mean_of_its_kinds():
    kinds = {
        "uncached": Kind(api=0.004, postgres=0.002, bytes=100),
        "hit": Kind(api=0.001, postgres=0, bytes=20),
    }
    assert growth.mean(kinds, {"uncached": 0.5, "hit": 0.5}) == Kind(api=0.0025, postgres=0.001, bytes=60)
    with pytest.raises(ValueError, match="add up to 1"):
        growth.mean(kinds, {"uncached": 0.5, "hit": 0.6})


def test_cores_are_used_to_six_tenths():
    assert growth.cores(600, 0.001) == 1
    assert growth.cores(601, 0.001) == 2
    assert growth.carried(0.001, 2) == pytest.approx(1_200)
    assert growth.machines(16, 16) == 1
    assert growth.machines(17, 16) == 2


def test_what_carries_least_breaks_first():
    units = [
        Unit(name=name, carries=carries, then="") for name, carries in (("a", 900), ("b", 100), ("c", 5_000))
    ]
    assert [unit.name for unit in growth.exceeded(units, 1_000)] == ["b", "a"]
    assert growth.exceeded(units, 100) == []


def test_work_that_two_lanes_do_in_055_of_the_time_is_nine_tenths_parallel():
    parallel = growth.parallel_part(0.55)
    assert parallel == pytest.approx(0.9)
    assert growth.share_of_one(parallel, 1) == pytest.approx(1)
    assert growth.share_of_one(parallel, 2) == pytest.approx(0.55)
    assert growth.share_of_one(parallel, 9) == pytest.approx(0.2)


def test_a_dataset_with_one_lane_bounds_the_load():
    split = Load(name="split", rows=3_200, load=1, publish=2, splits=True)
    serial = Load(name="serial", rows=1_000, load=1, publish=1, splits=False)
    assert growth.load_seconds([split], 32) == 100
    assert growth.load_seconds([split, serial], 2) == 2_100
    assert growth.load_seconds([split, serial], 32) == 1_000
    assert growth.publish_seconds([split, serial], 2, parallel=0.5) == pytest.approx(7_400 * 0.75)


@pytest.mark.parametrize("run", measured.runs(), ids=lambda run: f"{run.answer}-{run.workers}")
def test_the_model_agrees_with_the_measured_rate(run):
    assert simulated(run) == pytest.approx(run.requests_per_second, rel=0.2)


def test_every_number_of_workers_was_measured_with_every_kind_of_answer():
    assert {(run.answer, run.workers) for run in measured.runs()} == {
        (answer, workers) for answer in ("uncached", "hit", "304") for workers in (1, 2, 4)
    }


def test_the_page_on_scale_is_in_step_with_the_model():
    page = PAGE.read_text(encoding="utf-8")
    assert page == replaced(page, section()), "run: python -m bench.capacity --write"
