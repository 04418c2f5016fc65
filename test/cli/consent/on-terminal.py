"""Starts a program on a pseudo-terminal as a human's shell would, types one answer, and prints what became of it as JSON.

usage: on-terminal.py <how> <answer> program words...
  foreground  the program has the terminal
  background  another process has it
  none        the program has no terminal at all
  reopened    the program leaves its ancestors and takes the terminal as its own session's
  detached    this script itself leaves its ancestors first
The answer `WORD` stands for the word that is shown.
"""

import fcntl
import json
import os
import pty
import re
import sys
import termios

how, answer, *program = sys.argv[1:]


def above():
    found, pid = [], os.getppid()
    while pid > 0:
        try:
            with open(f"/proc/{pid}/stat") as file:
                text = file.read()
            with open(f"/proc/{pid}/cmdline") as file:
                words = [word for word in file.read().split("\0") if word]
        except OSError:
            break
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                variables = [one.split(b"=")[0].decode("latin1") for one in file.read().split(b"\0") if one]
        except OSError:
            variables = []
        found.append({"pid": pid, "name": text[text.index("(") + 1 : text.rindex(")")], "words": words, "variables": variables})
        pid = int(text[text.rindex(")") + 2 :].split()[1])
    return found


def leave(out):
    """Goes on as a child of the first process, which nobody of those above has started."""
    if os.fork():
        os.close(out)
        return False
    os.setsid()
    if os.fork():
        os._exit(0)
    return True


def run():
    os.execvp(program[0], program)


def take(name):
    """The first terminal that a session opens is its own."""
    os.setsid()
    file = os.open(name, os.O_RDWR)
    fcntl.ioctl(file, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(file, stream)


def started():
    """Gives the child and the other side of its terminal."""
    if how == "none":
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            nothing = os.open("/dev/null", os.O_RDONLY)
            os.dup2(nothing, 0)
            os.dup2(theirs, 1)
            os.dup2(theirs, 2)
            run()
        os.close(theirs)
        return child, ours
    if how == "reopened":
        ours, theirs = pty.openpty()
        name = os.ttyname(theirs)
        status, told = os.pipe()
        child = os.fork()
        if child == 0:
            if os.fork():
                os._exit(0)
            inner = os.fork()
            if inner == 0:
                os.close(ours)
                take(name)
                run()
            code = os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1])
            os.write(told, str(code).encode())
            os._exit(0)
        os.close(theirs)
        os.close(told)
        os.waitpid(child, 0)
        return status, ours
    child, ours = pty.fork()
    if child == 0:
        if how == "background":
            inner = os.fork()
            if inner == 0:
                os.setpgid(0, 0)
                run()
            os._exit(os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1]))
        run()
    return child, ours


def main():
    child, ours = started()
    output, answered = b"", False
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        output += more
        shown = re.search(rb"to say yes, type (\w+): $", output)
        if shown and not answered:
            answered = True
            os.write(ours, answer.replace("WORD", shown.group(1).decode()).encode() + b"\n")
    if how == "reopened":
        code = int(os.read(child, 16).decode() or "-1")
    else:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {"code": code, "output": output.decode("utf8", "replace"), "above": above()}


if how == "detached":
    read, write = os.pipe()
    if not leave(write):
        text = b""
        while more := os.read(read, 65536):
            text += more
        sys.stdout.buffer.write(text)
        sys.exit(0)
    os.write(write, json.dumps(main()).encode())
else:
    print(json.dumps(main()))
