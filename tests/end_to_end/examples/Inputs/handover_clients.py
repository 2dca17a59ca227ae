"""Starts the server of examples/handover.c, and is its clients.

usage: handover_clients.py SERVER     writes what the server says at its end.  Exit status: that of
       the server, 1 if an answer is wrong.
"""

import concurrent.futures
import socket
import subprocess
import sys

CLIENTS, REQUESTS = 16, 20


def talk(port, number):
    """Whether all answers to one client were right."""
    with socket.create_connection(("127.0.0.1", port)) as to:
        answers, words = to.makefile(), []
        for i in range(REQUESTS):
            words.insert(0, f"{number}.{i}")
            to.sendall(f"{words[0]}\n".encode())
            if answers.readline() != " ".join(words) + "\n":
                return False
    return True


def main():
    server = subprocess.Popen([sys.argv[1], str(CLIENTS)], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().split()[1])
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        right = all(pool.map(talk, [port] * CLIENTS, range(CLIENTS)))
    print(server.stdout.read(), end="")
    sys.exit(server.wait() if right else 1)


main()
