"""The contenders take turns."""

import sys

from common.process import Broken, emptied, run


def take_turns(field, corpus, scratch, timeout):
    """Run the contenders in turn until each has its number of runs; one that fails drops out."""
    turns = max((contender.repeat for contender in field), default=0)
    for turn in range(turns):
        for contender in field:
            if contender.failure or turn >= contender.repeat:
                continue
            folder = emptied(scratch / contender.key)
            command = contender.command(corpus, folder)
            try:
                done = run(command, contender.environment, folder, timeout)
            except Broken as fault:
                contender.failure = str(fault)
                print(f"{corpus.name}: {contender.label}: failed", file=sys.stderr)
                continue
            contender.argv = list(map(str, command))
            contender.runs.append(done)
            print(f"{corpus.name}: turn {turn + 1}: {contender.label}: {done.cpu:.3f} s CPU, {done.wall:.3f} s",
                  file=sys.stderr)
