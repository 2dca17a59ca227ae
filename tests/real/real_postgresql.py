"""PostgreSQL: its own regression tests, of a server with its memory contexts in regions."""

import os
import re
import shutil
import subprocess
import tempfile

import sources
from network import free_port
from toolchain import Failed, expect_findings

PACKAGE = "postgresql-15"
POOLS = "postgresql"
UNNEEDED = ("doc",)
# What the tests run, and what that needs, in the order in which it can be made.
PARTS = (
    "common port timezone backend backend/utils/mb/conversion_procs backend/snowball"
    " interfaces/libpq backend/replication/libpqwalreceiver backend/replication/pgoutput"
    " fe_utils bin/initdb bin/pg_ctl bin/psql pl/plpgsql/src"
).split()
# What the server says of tables and lists that outlive what they were made for, and is not used.
FINDING = re.compile(
    r"acre\[\d+\]: (\d+ times: )?(global variable '|field '|the word at |memory from malloc )"
)


def build(tree):
    if not shutil.which("perl"):
        raise sources.Unavailable("perl is not installed")
    installed = tree.path("installed")
    tree.run(
        "./configure",
        f"CC={tree.cc}",
        "CFLAGS=-O2 -w",
        f"--prefix={installed}",
        # Any other name is not taken for this by Debian's version, which has a place of its own.
        f"--libdir={installed}/lib/postgresql",
        "--without-icu",
        "--without-readline",
        "--without-zlib",
    )
    tree.make("-C", "src/backend", "generated-headers")
    for part in PARTS:
        tree.make("-C", f"src/{part}")
        tree.make("-C", f"src/{part}", "install")
    tree.make("-C", "src/test/regress")


def without_rights():
    """Who runs the server, which does not start as root: arguments of subprocess.run."""
    if os.geteuid():
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


def verdicts(tree):
    """What each of its tests ended as, the differences from what is expected, and what the server
    said."""
    regress, who = tree.path("src", "test", "regress"), without_rights()
    with tempfile.TemporaryDirectory() as directory:
        if who:
            shutil.chown(directory, "nobody", "nogroup")
        done = subprocess.run(
            [
                os.path.join(regress, "pg_regress"),
                f"--inputdir={regress}",
                f"--outputdir={directory}",
                f"--dlpath={regress}",
                f"--bindir={tree.path('installed', 'bin')}",
                f"--temp-instance={directory}/instance",
                f"--port={free_port()}",
                "--max-connections=4",
                f"--schedule={regress}/parallel_schedule",
            ],
            cwd=directory,
            capture_output=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
            **who,
        )
        output = done.stdout.decode(errors="replace")
        said = []
        for name in ("regression.diffs", "log/initdb.log", "log/postmaster.log"):
            try:
                with open(os.path.join(directory, name), "rb") as file:
                    said.append(file.read().decode(errors="replace"))
            except FileNotFoundError:
                said.append("")
    ends = dict(re.findall(r"^(?:test| )\s*(\S+)\s+\.\.\. (\w+)", output, re.M))
    if not ends:
        raise Failed(f"{tree.kind}: no test was run: {output[-2000:]}\n{said[1][-2000:]}")
    return ends, said[0], said[2]


def check_pools(plain, acre):
    wanted, _, _ = verdicts(plain)
    got, differences, log = verdicts(acre)
    if wanted != got:
        failed = sorted(name for name in wanted if got.get(name) != wanted[name])
        raise Failed(f"own tests differ: {failed}\n{differences[:4000]}")
    passed = sum(end == "ok" for end in got.values())
    yield f"{passed} of {len(got)} of its own tests pass, the same as with plain clang"
    findings = "\n".join(line for line in log.splitlines() if line.startswith("acre"))
    expect_findings(findings, FINDING)
    yield "each pointer that is left behind is one of a variable or an object, and none is used"
