"""Decodes a profile.proto as far as acre view writes it, and prints its samples.

usage: check_pprof.py FILE
"""

import sys


def varint(data, at):
    """A number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a message."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        yield tag >> 3, value


def numbers(packed):
    at, result = 0, []
    while at < len(packed):
        value, at = varint(packed, at)
        result.append(value)
    return result


profile = list(fields(open(sys.argv[1], "rb").read()))
strings = [value.decode() for number, value in profile if number == 6]
functions, locations = {}, {}
for number, value in profile:
    if number == 5:
        function = dict(fields(value))
        functions[function[1]] = strings[function[2]], strings[function[4]]
for number, value in profile:
    if number == 4:
        location = dict(fields(value))
        line = dict(fields(location[4]))
        locations[location[1]] = functions[line[1]] + (line[2],)
print([strings[dict(fields(value))[1]] for number, value in profile if number == 1])
for number, value in profile:
    if number == 2:
        sample = dict(fields(value))
        names = [locations[each][0] for each in numbers(sample[1])]
        print(" < ".join(names), numbers(sample[2]))
assert strings[0] == ""
