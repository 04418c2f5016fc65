"""Starts a program on a pseudo-terminal as a human's shell would, presses keys at their moments, and prints what became of it as JSON.

usage: at-terminal.py <steps> <environment> program words...
`steps` is a JSON list of { "file": a file that must be there, or "shows": a text that must be shown, and then "press": keys, or
"signal": a number, or "hang_up": true for a terminal that goes away }; `environment` is a JSON object of the program's variables. A program that has not ended when `patience`
is over is ended by force, which the answer says.
"""

import fcntl
import json
import os
import select
import signal
import sys
import termios
import time

patience = 120
steps, environment, *program = sys.argv[1:]
steps, environment = json.loads(steps), json.loads(environment)

ours, theirs = os.openpty()
before = termios.tcgetattr(theirs)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(theirs, stream)
    os.closerange(3, 256)
    os.execvpe(program[0], program, environment)

output, status, forced = b"", None, False
end = time.monotonic() + patience


def due(step):
    if "file" in step:
        return os.path.exists(step["file"])
    return step["shows"].encode() in output


def take(step):
    global ours
    if "press" in step:
        os.write(ours, step["press"].encode())
    elif "signal" in step:
        os.kill(child, step["signal"])
    else:
        os.close(theirs)
        os.close(ours)
        ours = None


while status is None:
    if ours is None:
        time.sleep(0.02)
    elif select.select([ours], [], [], 0.02)[0]:
        try:
            output += os.read(ours, 65536)
        except OSError:
            pass
    if steps and due(steps[0]):
        take(steps.pop(0))
    pid, ended = os.waitpid(child, os.WNOHANG)
    if pid == child:
        status = ended
    elif time.monotonic() > end and not forced:
        forced = True
        os.killpg(child, signal.SIGKILL)

while ours is not None and select.select([ours], [], [], 0.1)[0]:
    try:
        output += os.read(ours, 65536)
    except OSError:
        break

print(
    json.dumps(
        {
            "code": os.waitstatus_to_exitcode(status),
            "output": output.decode("utf8", "replace"),
            "forced": forced,
            "left": len(steps),
            "restored": ours is None or termios.tcgetattr(theirs) == before,
        }
    )
)
