"""Work in forked processes: everything gets done, and a crash costs only the item that crashed."""

import os
import signal

import pytest

from engram.ingest.pool import FINISHED, run_forked


@pytest.mark.parametrize("count", [0, 1, 7, 20_000])
def test_every_number_is_worked_on_once(count):
    results = list(run_forked(count, 3, lambda n: n * n, lambda w: "done"))
    numbers = sorted(number for number, _ in results if number != FINISHED)
    assert numbers == list(range(count))
    assert all(result == number * number for number, result in results if number != FINISHED)


def test_each_worker_finishes_once():
    results = [result for number, result in run_forked(40, 2, lambda n: n, lambda w: ("end", w)) if number == FINISHED]
    assert sorted(results) == [("end", 0), ("end", 1)]


@pytest.mark.parametrize("deadly", [(3,), (0, 1, 2, 3), tuple(range(40))])
def test_a_crash_costs_only_what_crashed(deadly):
    def work(number):
        if number in deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    results = {number: result for number, result in run_forked(40, 2, work, lambda w: w) if number != FINISHED}
    assert {number for number, result in results.items() if result is None} == set(deadly)
    assert len(results) == 40


def test_an_exception_in_the_work_counts_as_a_crash(capfd):
    results = dict(run_forked(3, 1, lambda n: 1 // (n - 1), lambda w: w))
    assert results[1] is None
    assert results[0] == -1


def test_large_results_come_through_whole():
    results = dict(run_forked(4, 2, lambda n: bytes([n]) * 3_000_000, lambda w: None))
    assert all(results[n] == bytes([n]) * 3_000_000 for n in range(4))
