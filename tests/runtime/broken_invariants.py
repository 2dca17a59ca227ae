#!/usr/bin/env python3
"""Breaks invariants of the runtime on purpose: an assertion that names the invariant must stop
each.

A copy of the runtime is compiled with assertions, once as it is and once for each break, in which
one text is replaced by another; then a scenario of broken_invariants.c runs.

usage: broken_invariants.py ROOT CC     ROOT: the project's directory.  Exit status: 1 if a break is
not stopped.
"""

import os
import platform
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What is broken; the file below runtime/, its text and what that becomes; the scenario; the
# assertion's text.
BREAKS = [
    (
        "a count is not decremented",
        "counting/record.c",
        "  count_out(is_single, region);\n",
        "  (void)region;\n",
        "reference",
        "a count is that of records and pins",
    ),
    (
        "a count is decremented twice",
        "counting/record.c",
        "  count_out(is_single, region);\n",
        "  count_out(is_single, region);\n  count_out(is_single, region);\n",
        "reference",
        "a count is that of records and pins",
    ),
    (
        "a record is left behind in a region that goes",
        "region/destroy.c",
        "  acre_record_release(low, high);\n",
        "  (void)low, (void)high;\n",
        "reference_from_what_goes",
        "no record outlives its memory",
    ),
    (
        "an entry is given out twice",
        "counting/registry.c",
        "    free_first = entry->next;\n",
        "",
        "reuse",
        "an entry is reused when nothing names it any more",
    ),
    (
        "an entry is reused with its generation",
        "counting/registry.c",
        "    entry->generation++;\n",
        "",
        "reuse",
        "a handle never names a later region",
    ),
    (
        "a condemned member stays linked",
        "region/destroy.c",
        "      acre_tree_unlink(region);\n",
        "      (void)region;\n",
        "only_subregion",
        "no relative names a region that is gone",
    ),
    (
        "a member stays condemned when its delete is refused",
        "region/condemned.c",
        "    acre_condemned_forget(region);\n  }\n  *set",
        "  }\n  *set",
        "pin",
        "a region is in one set at most",
    ),
    (
        "a pin is not counted",
        "counting/pin.c",
        "    acre_add64(&region->count, 1);\n",
        "    (void)region;\n",
        "pin",
        "a count is that of records and pins",
    ),
    (
        "a relation is not forgotten",
        "counting/relation.c",
        "    held |= (acre_half_words)(held == gone);\n",
        "    (void)gone;\n",
        "relation",
        "what is remembered is true",
    ),
    (
        "a barrier that does not grey",
        "gc/cycle/cycle.c",
        "  mark_value(h, value);\n  ACRE_ASSERT(is_not_ecru",
        "  ACRE_ASSERT(is_not_ecru",
        "collected_stores",
        "is_not_ecru(h, value)",
    ),
    (
        "a page's live count off by one",
        "gc/cycle/mark_bitmap.c",
        "p->marked = (uint16_t)(p->marked + is_new);",
        "p->marked = (uint16_t)(p->marked + is_new + (is_new && start == 0));",
        "collected_list",
        "p->marked <= p->cells",
    ),
    (
        "a phase entered twice",
        "gc/cycle/cycle.c",
        "  enter(h, PHASE_FINAL);\n",
        "  enter(h, PHASE_FINAL);\n  enter(h, PHASE_FINAL);\n",
        "collected_list",
        "phase_may_follow(h->cycle.phase, next)",
    ),
    (
        "a handle entry freed while used",
        "gc/cycle/weak.c",
        "  h->roots.queue_first = s->next;\n",
        "",
        "finalizable",
        "s->state == ENTRY_QUEUED",
    ),
    (
        "a marked cell stays in the segment of ecru ones",
        "gc/cycle/mark.c",
        "  ring_grey(r, cell_ref(r, &c));\n",
        "",
        "collected_list",
        "all_cells_are_in_their_segments(h)",
    ),
    (
        "the cells of a thread cache are not marked",
        "gc/cycle/mark.c",
        "    acre_gc_cache_each((const acre_gc_thread_cache *)o->start, true, mark_taken, h);\n",
        "    (void)mark_taken;\n",
        "collected_cache",
        "thread_caches_are_marked(h)",
    ),
]
FLAGS = ["-std=gnu11", "-O1", "-g0", "-w", "-DACRE_ASSERTIONS", "-DACRE_NO_SHORT_NAMES", "-pthread"]
# As runtime/CMakeLists.txt has it.
OWN_FLAGS = {"patched_store.c": ["-mgeneral-regs-only"]} if platform.machine() == "x86_64" else {}
# Linked into programs, not into the runtime.
LEFT_OUT = [
    "collected_program.c",
    "quarantine_program.c",
    "verify_program.c",
    "wrapped_program.c",
    "collected_transfers.c",
    "collected_waits.c",
]


class Runtime:
    """A copy of the sources and the objects made of them."""

    def __init__(self, root, compiler, directory):
        self.root, self.compiler, self.directory = root, compiler, directory
        shutil.copytree(root / "runtime", directory / "runtime")
        sources = [
            path for path in (directory / "runtime").rglob("*.c") if path.name not in LEFT_OUT
        ]
        self.objects = {path: path.with_suffix(".o") for path in sources}
        self.scenarios = directory / "scenarios.o"
        jobs = [self.start(root / "tests/runtime/broken_invariants.c", self.scenarios)]
        for source, target in self.objects.items():
            jobs.append(self.start(source, target))
            if len(jobs) > os.cpu_count():
                self.finish(jobs.pop(0))
        for job in jobs:
            self.finish(job)

    def start(self, source, target):
        includes = ["-I", self.root / "include", "-I", self.directory / "runtime"]
        flags = [*FLAGS, *OWN_FLAGS.get(source.name, [])]
        return subprocess.Popen([self.compiler, *flags, *includes, "-c", source, "-o", target])

    @staticmethod
    def finish(job):
        if job.wait() != 0:
            sys.exit("broken_invariants.py: the runtime does not compile")

    def run(self, scenario, other=None, instead=None):
        """(status, messages) of the scenario, with another object in the place of one."""
        objects = [
            instead if source == other else target for source, target in self.objects.items()
        ]
        program = self.directory / "program"
        link = [self.compiler, "-pthread", self.scenarios, *objects, "-o", program]
        if subprocess.run(link, check=False).returncode != 0:
            sys.exit("broken_invariants.py: the runtime does not link")
        done = subprocess.run(
            [program, scenario], capture_output=True, text=True, timeout=600, check=False
        )
        return done.returncode, done.stderr

    def run_broken(self, name, text, becomes, scenario):
        source = self.directory / "runtime" / name
        sound, target = source.read_text(), self.directory / "broken.o"
        if sound.count(text) != 1:
            return None, f"{name} has the text {sound.count(text)} times:\n{text}"
        source.write_text(sound.replace(text, becomes))
        self.finish(self.start(source, target))
        source.write_text(sound)
        return self.run(scenario, source, target)


def main():
    faults = []
    with tempfile.TemporaryDirectory() as name:
        runtime = Runtime(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(name))
        for scenario in sorted({scenario for *_, scenario, _ in BREAKS}):
            status, messages = runtime.run(scenario)
            if status != 0:
                faults.append(f"{scenario}, on a sound runtime: status {status}\n{messages}")
        for what, source, text, becomes, scenario, assertion in BREAKS:
            status, messages = runtime.run_broken(source, text, becomes, scenario)
            if status == 0 or "assertion failed" not in messages or assertion not in messages:
                faults.append(f"{what}: status {status}, not stopped by '{assertion}'\n{messages}")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
