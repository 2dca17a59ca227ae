"""Where the servers of tests listen."""

import socket

HOST = "127.0.0.1"


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]
