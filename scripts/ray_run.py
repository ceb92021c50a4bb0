#!/usr/bin/env python3
"""Plays an experiment on a Ray cluster: shards are tasks, what they played comes back by value, `dealt merge` makes one run of it.

    scripts/ray_run.py experiments/ace-high.toml --shards 64 --out results/ace-high
    scripts/ray_run.py study.toml --shards 64 --out results/study --address 10.0.0.1:6379 -- --seed 7 --set blocks=100000

The results have the bytes that one machine would have given, whatever the nodes, and whatever fails on the way: a shard whose
node dies is played again on another one (`--max-retries`), and so is one whose program was killed. What the program refuses
is told at once. What was played is in `OUT.parts` until the results are complete; the same command goes on with it.

Needs `pip install ray`, and `dealt` at the same path on all nodes; no file system is shared. Sequential tests and tuning, where
what is played depends on what came out, play round after round, each in shards.
"""

import argparse
import collections
import ctypes
import logging
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # noqa: E402  (after its usage reports are off)

REFUSED = 2
"""The exit status of a request that is wrong, and will be wrong on every node."""
GOES_ON = 3
"""The exit status of a merge after which there is more to be played."""

Task = collections.namedtuple("Task", "dealt name experiment flags shard threads log")
"""All that a node needs to play a shard of the first round: the file by its name and its bytes, …"""


class Refused(Exception):
    """The program refuses what it was told to do."""


class Failed(Exception):
    """The program ended before it was done; it may do better another time."""


def pack(folder: pathlib.Path) -> bytes:
    """A folder as bytes."""
    with tempfile.TemporaryFile() as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as tar:
            tar.add(folder, arcname=".")
        file.seek(0)
        return file.read()


def unpack(packed: bytes, folder: pathlib.Path) -> None:
    """Makes the folder again. It is there under its name when all of it is there."""
    partial = folder.with_name(f".{folder.name}.unpacked")
    shutil.rmtree(partial, ignore_errors=True)
    with tempfile.TemporaryFile() as file:
        file.write(packed)
        file.seek(0)
        with tarfile.open(fileobj=file) as tar:
            tar.extractall(partial, filter="data")
    partial.rename(folder)


def die_with_parent() -> None:
    """Has the system end this process when the one that started it is gone: no shard is played for a dead node."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def note(log: str | None, *words: object) -> None:
    """Adds a line to the log, if there is one."""
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(" ".join(map(str, words)) + "\n")


def play(task: Task, after: bytes | None) -> tuple[str, float, bytes]:
    """Plays a shard on this node, of a later round `after` the merged ones: the node, the seconds, the folder of the shard."""
    node = ray.get_runtime_context().get_node_id()[:8]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dealt-") as scratch:
        here = pathlib.Path(scratch)
        (here / task.name).write_bytes(task.experiment)
        command = [task.dealt, "run", task.name, *task.flags, "--shard", task.shard, "--out", "shard"]
        command += ["--threads", str(task.threads), "--quiet"]
        if after is not None:
            unpack(after, here / "after")
            command += ["--after", "after"]
        program = subprocess.Popen(
            command, cwd=here, stderr=subprocess.PIPE, text=True, preexec_fn=die_with_parent
        )
        note(task.log, "start", task.shard, node, program.pid)
        _, said = program.communicate()
        if program.returncode == REFUSED:
            raise Refused(said.strip())
        if program.returncode != 0:
            raise Failed(f"shard {task.shard} ended with status {program.returncode}: {said.strip()}")
        note(task.log, "end", task.shard, node, program.pid)
        return node, time.monotonic() - begun, pack(here / "shard")


class Launcher:
    """Plays an experiment, round by round."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.parts = given.out.with_name(given.out.name + ".parts")
        self.play = ray.remote(play).options(
            num_cpus=given.threads,
            scheduling_strategy="SPREAD",
            max_retries=given.max_retries,
            retry_exceptions=[Failed],
        )

    def run(self) -> None:
        """Plays all rounds, and puts the results in place."""
        before: pathlib.Path | None = None
        for number in range(sys.maxsize):
            folder = self.parts / f"round-{number:04}"
            merged = self.parts / f"merged-{number:04}"
            self.play_round(number, folder, before)
            if self.merge(before, folder, merged):
                merged.rename(self.given.out)
                shutil.rmtree(self.parts)
                return
            before = merged

    def play_round(self, number: int, folder: pathlib.Path, before: pathlib.Path | None) -> None:
        """Has all shards of a round played that were not played yet."""
        given, shards = self.given, self.given.shards
        folder.mkdir(parents=True, exist_ok=True)
        name, experiment = given.experiment.name, given.experiment.read_bytes()
        after = ray.put(pack(before)) if before else None
        left = {}
        for shard in range(shards):
            if not (folder / str(shard)).exists():
                task = Task(given.dealt, name, experiment, given.flags, f"{shard}/{shards}", given.threads, given.log)
                left[self.play.remote(task, after)] = shard
        while left:
            [done], _ = ray.wait(list(left), num_returns=1)
            shard = left.pop(done)
            node, seconds, packed = ray.get(done)
            unpack(packed, folder / str(shard))
            self.say(
                f"round {number}: shard {shard}/{shards} in {seconds:.1f} s on node {node}; {len(left)} to go"
            )

    def merge(self, before: pathlib.Path | None, folder: pathlib.Path, merged: pathlib.Path) -> bool:
        """Merges a round with the ones before. Whether nothing more is to be played."""
        given = self.given
        shards = [folder / str(shard) for shard in range(given.shards)]
        command = [given.dealt, "merge", *([before] if before else []), *shards, "--out", merged, "--force"]
        if given.quiet:
            command.append("--quiet")
        merge = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if merge.returncode not in (0, GOES_ON):
            sys.exit(merge.stderr.strip())
        return merge.returncode == 0

    def say(self, text: str) -> None:
        """Tells how far it is."""
        if not self.given.quiet:
            print(text, flush=True)


def read_arguments() -> argparse.Namespace:
    """What was asked for; behind `--` stand flags of `dealt run`."""
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(
        usage="%(prog)s FILE.toml --shards N --out DIR [options] [-- flags of dealt run, such as --seed 7]",
        description=__doc__.split("\n", 1)[0],
    )
    parser.add_argument("experiment", type=pathlib.Path, metavar="FILE.toml")
    parser.add_argument("--shards", type=int, required=True, metavar="N", help="into how many parts each round is cut")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="the folder to write results to")
    parser.add_argument("--address", metavar="HOST:PORT", help="the cluster [default: this machine alone]")
    parser.add_argument("--dealt", default="dealt", metavar="PATH", help="the program, the same on all nodes [default: dealt]")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads, and CPUs, of a shard [default: 1]")
    parser.add_argument("--max-retries", type=int, default=5, metavar="N", help="how often a shard is tried again [default: 5]")
    parser.add_argument("--log", metavar="FILE", help="a line for each start and end of a shard, where nodes share the file")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    given = parser.parse_args(arguments)
    if given.shards < 1 or given.threads < 1:
        parser.error("--shards and --threads take a whole number from 1 up")
    if given.out.exists():
        parser.error(f"{given.out} is there already; --out DIR writes elsewhere")
    given.flags = flags
    return given


def main() -> None:
    """Does it."""
    given = read_arguments()
    own = {"include_dashboard": False} if given.address is None else {}
    ray.init(address=given.address, log_to_driver=False, logging_level=logging.ERROR, **own)
    try:
        Launcher(given).run()
    except ray.exceptions.RayTaskError as error:
        sys.exit(f"error: {error.cause}")
    except ray.exceptions.RayError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
