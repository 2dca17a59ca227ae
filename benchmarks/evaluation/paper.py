# SPDX-License-Identifier: MIT
"""What "Language Support for Regions" (PLDI 2001) reports of its programs, on a 333 MHz UltraSPARC
II.

Tables 1, 2 and 3.  Its apache is nginx here, its rc is sparse.
"""

# lines, objects allocated, kB allocated, kB in use at most
TABLE_1 = {
    "apache": (62289, 164296, 30806, 78),
    "cfrac": (4203, 3812425, 56076, 102),
    "groebner": (3219, 5971710, 312992, 474),
    "mudlle": (5078, 1594372, 22354, 210),
    "lcc": (12430, 1002210, 55637, 4121),
    "moss": (2675, 553986, 6312, 2185),
    "rc": (22823, 81093, 4714, 4214),
    "tile": (926, 10459, 309, 153),
}

# The cost of counting in RC: seconds, per cent of execution time, seconds of region unscan, as
# printed
TABLE_2 = {
    "apache": ("0.43", "8 %", "0.10"),
    "cfrac": ("0.02", "0.4 %", "0.01"),
    "groebner": ("0.07", "0.7 %", "0.02"),
    "mudlle": ("0.23", "6 %", "0.01"),
    "lcc": ("0.56", "11 %", "0.07"),
    "moss": ("−0.02", "< 0 %", "< 0.01"),
    "rc": ("0.12", "4 %", "< 0.01"),
    "tile": ("0.00", "0 %", "< 0.01"),
}

# keywords added, lines changed, per cent of annotated assignments proved safe
TABLE_3 = {
    "apache": (64, 0, 31),
    "cfrac": (8, 0, 50),
    "groebner": (4, 217, 80),
    "mudlle": (75, 0, 88),
    "lcc": (81, 62, 31),
    "moss": (20, 22, 89),
    "rc": (331, 0, 11),
    "tile": (21, 0, 84),
}
