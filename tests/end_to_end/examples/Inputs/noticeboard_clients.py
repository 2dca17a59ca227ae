"""Talks to the server of notes that is named: one client whose answers are printed, then several at
once.  Says what is wrong, or how many answers there were and how the server ended."""
import signal
import socket
import subprocess
import sys
import threading

CLIENTS, ROUNDS = 8, 50
WORDS = ["PUT a hello", "PUT a hello world", "PUT ab x", "GET a", "LIST ^a", "LIST (", "TIME %Y", 
         "WHO", "DROP a", "GET a", "hm", "BYE"]


def talk(port, lines):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        stream = connection.makefile("rw")
        stream.write("".join(line + "\n" for line in lines))
        stream.flush()
        return stream.read()


def main():
    command = [sys.argv[1], "-t", "4", "127.0.0.1", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    print(talk(port, WORDS), end="")
    answers = [""] * CLIENTS

    def use(number):
        lines = []
        for each in range(ROUNDS):
            name = f"n{(number + each) % 5}"
            lines += [f"PUT {name} from {number}", f"GET {name}", "LIST ^none$", f"DROP {name}"]
        answers[number] = talk(port, lines + ["BYE"])

    threads = [threading.Thread(target=use, args=(number,)) for number in range(CLIENTS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    server.send_signal(signal.SIGTERM)
    status = server.wait(timeout=60)
    count = sum(len(each.splitlines()) for each in answers)
    print(f"{CLIENTS} clients, {count} answers, status {status}")


main()
