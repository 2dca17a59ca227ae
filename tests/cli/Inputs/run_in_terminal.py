"""Runs a command in a terminal of 16 lines and 100 columns, presses keys, and prints what the
screen showed last, and how the command ended.

usage: run_in_terminal.py KEYS COMMAND...     KEYS: pressed one by one; [D] is arrow down, [W] waits
                                              until the screen has text in it: its third line
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

keys, command = re.findall(r"\[.\]|.", sys.argv[1]), sys.argv[2:]
process, terminal = pty.fork()
if process == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 16, 100, 0, 0))
seen = b""


def read_for(seconds, is_enough=lambda: False):
    global seen
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_enough():
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                return


for key in keys:
    if key == "[W]":
        read_for(20, lambda: b"ever made" in seen)
        read_for(0.3)
    else:
        os.write(terminal, {"[D]": b"\x1b[B"}.get(key, key.encode()))
        read_for(0.3)
read_for(0.5)
status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
text = seen.decode(errors="replace")
screens = [each for each in text.split("\x1b[H")[1:] if "ever made" in each]
for line in screens[-1].split("\r\n") if screens else []:
    chosen = "> " if "\x1b[7m" in line else "  "
    print((chosen + re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line)).rstrip())
print("restored" if text.rstrip().endswith("\x1b[?1049l") else "not restored")
print("status", status)
