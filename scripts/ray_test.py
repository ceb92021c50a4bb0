#!/usr/bin/env python3
"""Tries ray_run.py on a cluster of two nodes on this machine, one of which is killed while it plays a shard, and then a program
alone: the results must have the bytes of a single run, and the log must show that these shards were played twice.

    scripts/ray_test.py target/release/dealt

Nothing of the cluster listens on any address but that of the machine to itself, which is tested, too.
"""

import filecmp
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# By this, which is meant for systems where firewalls ask, drivers take 127.0.0.1 for what it is, not for a wish to be reached.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"

from ray.cluster_utils import Cluster  # noqa: E402  (after its usage reports are off)

HERE = pathlib.Path(__file__).parent
DEALT = str(pathlib.Path(sys.argv[1]).resolve())
SHARDS = 6
MATCH = """\
game = "three-thirteen"
agents = ["greedy", "random"]
seed = 5
blocks = 10000
outputs = { games_csv = true, records = 20 }
"""
SPRT = """\
kind = "sprt"
game = "three-thirteen"
agents = ["greedy", "greedy:pair=0,run=0"]
seed = 20261130
blocks = 1000
sprt = { elo = [0, 30], batch = 50 }
"""


def start_cluster(scratch: pathlib.Path) -> tuple[Cluster, object]:
    """A cluster of two nodes with a CPU each, and the node that may be killed."""
    node = {
        "num_cpus": 1,
        "node_ip_address": "127.0.0.1",
        "include_dashboard": False,
        "object_store_memory": 100 * 1024 * 1024,
    }
    (scratch / "ray").mkdir()
    os.environ["RAY_TMPDIR"] = str(scratch)
    cluster = Cluster(initialize_head=True, head_node_args=node)
    other = cluster.add_node(**node)
    cluster.wait_for_nodes()
    return cluster, other


def heard_from_outside(scratch: pathlib.Path) -> list[str]:
    """Where the processes of the cluster listen that others than this machine could reach, as the kernel writes it."""
    sockets = set()
    for process in pathlib.Path("/proc").iterdir():
        try:
            if str(scratch).encode() in (process / "cmdline").read_bytes():
                sockets |= {os.readlink(file) for file in (process / "fd").iterdir()}
        except (OSError, ValueError):
            continue  # not a process, or one that has just ended
    listens, itself = "0A", ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")
    found = []
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path("/proc/net", table).read_text().splitlines()[1:]:
            _, local, _, state, *rest = line.split()
            if state == listens and f"socket:[{rest[5]}]" in sockets and local.split(":")[0] not in itself:
                found.append(local)
    return found


def read_log(log: pathlib.Path) -> tuple[list[list[str]], list[list[str]]]:
    """The starts and the ends: shard, node, process."""
    lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    return [words for kind, *words in lines if kind == "start"], [words for kind, *words in lines if kind == "end"]


def runs(process: str) -> bool:
    """Whether a program is at work."""
    try:
        state = pathlib.Path("/proc", process, "stat").read_text().rsplit(")", 1)[1].split()[0]
        return state not in "ZX" and b"--shard" in pathlib.Path("/proc", process, "cmdline").read_bytes()
    except OSError:
        return False


def wait_for(what: str, look, seconds: float = 60.0):
    """Looks until there is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    sys.exit(f"there is no {what} after {seconds:.0f} s")


def at_work(log: pathlib.Path, fits) -> list[str] | None:
    """A shard that is being played right now."""
    starts, ends = read_log(log)
    return next((start for start in starts if fits(start) and start not in ends and runs(start[2])), None)


def play_alone(scratch: pathlib.Path, name: str, text: str) -> tuple[pathlib.Path, pathlib.Path]:
    """An experiment file, and the results of a single run of it."""
    experiment, single = scratch / f"{name}.toml", scratch / f"{name}-alone"
    experiment.write_text(text)
    subprocess.run([DEALT, "run", experiment, "--out", single, "--threads", "1", "--quiet"], check=True)
    return experiment, single


def launch(cluster: Cluster, experiment: pathlib.Path, shards: int, out: pathlib.Path, log: pathlib.Path):
    """The launcher, at work."""
    command = [sys.executable, HERE / "ray_run.py", experiment, "--shards", str(shards), "--out", out]
    return subprocess.Popen([*command, "--address", cluster.address, "--dealt", DEALT, "--log", log])


def assert_same(one: pathlib.Path, other: pathlib.Path) -> None:
    """All files but the one that tells times have the same bytes."""
    names = sorted(file.name for file in one.iterdir())
    assert names == sorted(file.name for file in other.iterdir()), (names, list(other.iterdir()))
    names.remove("timings.csv")
    assert len(names) > 4
    _, differ, strange = filecmp.cmpfiles(one, other, names, shallow=False)
    assert not differ and not strange, f"{one} and {other} differ in {differ + strange}"


def main() -> None:
    """Does it."""
    with tempfile.TemporaryDirectory(prefix="dealt-ray-", ignore_cleanup_errors=True) as folder:
        scratch = pathlib.Path(folder)
        experiment, single = play_alone(scratch, "match", MATCH)
        sprt, sprt_single = play_alone(scratch, "sprt", SPRT)
        launchers: list[subprocess.Popen] = []
        cluster, other = start_cluster(scratch)
        try:
            out, log = scratch / "shared", scratch / "log"
            launchers.append(launch(cluster, experiment, SHARDS, out, log))
            on_other = wait_for("shard on the other node", lambda: at_work(log, lambda start: other.node_id.startswith(start[1])))
            outside = heard_from_outside(scratch)
            assert not outside, f"the cluster listens at {outside}"
            cluster.remove_node(other, allow_graceful=False)
            wait_for("end of its program", lambda: not runs(on_other[2]), 10.0)
            alone = wait_for("shard on the node that is left", lambda: at_work(log, lambda start: start[0] != on_other[0]))
            os.kill(int(alone[2]), signal.SIGKILL)
            assert launchers[0].wait(100) == 0
            assert_same(single, out)
            starts, ends = read_log(log)
            assert len(ends) == SHARDS
            for killed in (on_other, alone):
                assert killed in starts and killed not in ends
                times = [start for start in starts if start[0] == killed[0]]
                assert len(times) == 2, times
                print(f"shard {killed[0]} was killed on node {killed[1]} and played again on node {times[1][1]}")
            launchers.append(launch(cluster, sprt, 2, scratch / "sprt", log))
            assert launchers[1].wait(100) == 0
            assert_same(sprt_single, scratch / "sprt")
        finally:
            for launcher in launchers:
                launcher.kill()
            cluster.shutdown()
    print("both runs have the bytes of single ones")


if __name__ == "__main__":
    main()
