"""A library that answers what it is told to, or misbehaves as it is told to."""

import contextlib
import os
import time

import numpy as np


class Adapter:
    version = "1.2.3"

    def __init__(self, problem):
        self.does = problem.options.get("does", "answer")
        # The k-th query gets the k-th answer.
        self.prepared = problem.options.get("answers", [])
        self.count = 0
        if self.does == "refuse":
            raise ValueError(f"no robot with\n{len(problem.joints)} joints, thank you")
        if self.does == "panic":
            raise SystemExit("not an Exception")
        print("loaded", problem.robot, flush=True)  # must not disturb the conversation

    def query(self, target, seed):
        self.count += 1
        return self.count - 1, target, seed

    def solve(self, k, target, seed):
        if self.does == "crash":
            print("out of luck", flush=True)
            os._exit(3)
        if self.does == "hang":
            time.sleep(60.0)
        if self.does == "garble":
            for descriptor in range(3, 30):
                with contextlib.suppress(OSError):
                    os.write(descriptor, b"hello, world! " * 3)
        if self.does == "raise":
            raise RuntimeError(f"target {k} is ugly")
        if self.does == "pause":
            time.sleep(0.002)
        return self.prepared[k] if k < len(self.prepared) else None

    def answer(self, result):
        if self.does == "malformed":
            return np.zeros(2)
        return None if result is None else np.asarray(result)

    def answers(self, result):
        if self.does == "malformed":
            return np.zeros((1, 2))
        # Lists of configurations, one for each target.
        return [] if result is None else np.asarray(result)

    def answers_all(self, seeds):
        return np.repeat(seeds, 2, axis=0), [2] * (len(seeds) - (self.does == "malformed"))

    def query_all(self, targets, seeds):
        return (seeds,)

    def solve_all(self, seeds):
        time.sleep(0.002)
        return seeds

    def answer_all(self, seeds):
        return seeds[:, :1] if self.does == "malformed" else seeds
