"""Shared configuration of all lit suites.

Substitutions: %acre-cc the driver, %acre the command-line tool, %plugin the shared object, %clang
the plain compiler, %frontend that with the plugin and the headers, %opt LLVM's opt with the pass
loaded, %each_level CMD: see run_each_level.py, and %whole: FileCheck that leaves no character of
its input over but blanks, where C files have lost their folders, and [[FILE]] is the name of the
test.  %keep defines KEEP for FileCheck: what calls keep values alive with in this version's IR;
%{major} is the version of Clang.

--param clang=VERSION runs the tests with another of the installed versions and its plugin than the
newest. llvm-N is a feature if the version is N or more.

--param target=TRIPLE runs the programs of the tests on another machine, for which there is a
runtime (ACRE_TARGETS), by QEMU. Then foreign is a feature, and sanitizers, whose libraries are
there for this machine only, is not. --param qemu=OPTIONS are for QEMU.
"""

import glob
import os
import platform
import shlex
import shutil
import stat
import subprocess
import sys
import lit.formats

config.name = "acre-" + os.path.basename(config.test_source_root)
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".ll", ".test"]
config.excludes = ["Inputs"]
version = lit_config.params.get("clang", config.llvm_versions.split(";")[0])
if version not in config.llvm_versions.split(";"):
    lit_config.fatal(
        "there is no plugin for Clang %s, only for %s" % (version, config.llvm_versions)
    )
build, llvm = config.acre_build, config.llvm_tools.split(";")[
    config.llvm_versions.split(";").index(version)
]
plugin = os.path.join(build, "lib", "acre", "AcrePlugin-%s.so" % version)
config.environment["PATH"] = os.pathsep.join([llvm, os.path.join(build, "bin"), os.environ["PATH"]])
config.environment["ACRE_VERIFY"] = "1"
config.environment["ACRE_LOCALS"] = "abort"  # most tests ask where a variable ends
for name in ("ACRE_FLAGS", "ACRE_TEST_LEVELS"):
    config.environment[name] = os.environ.get(name, "")
for name in ("ACRE_DELETE", "ACRE_HEAP", "ACRE_CLANG", "ACRE_FAIL_AT"):
    config.environment.pop(name, None)
for name in ("ACRE_SNAPSHOT", "ACRE_STATS", "ACRE_TRACE"):
    config.environment.pop(name, None)
if "clang" in lit_config.params:
    config.environment["ACRE_CLANG"] = version
for number in range(19, int(version) + 1):
    config.available_features.add("llvm-%d" % number)
keep = "(...) @llvm.fake.use" if int(version) >= 20 else 'asm sideeffect "", "r,~{memory}"'
if shutil.which("ccache"):
    config.available_features.add("ccache")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
acre_cc = os.path.join(build, "bin", "acre-cc")
target = lit_config.params.get("target", "")
machine = target.split("-")[0] or platform.machine()
if target:
    if not os.path.exists(os.path.join(build, "lib", "acre", target, "libacre.a")):
        lit_config.fatal("no runtime for %s: build with -DACRE_TARGETS=%s" % (target, target))
    native, acre_cc = acre_cc, os.path.join(config.test_exec_root, "acre-cc-" + target)
    os.makedirs(config.test_exec_root, exist_ok=True)
    gaps = os.path.join(config.test_exec_root, "qemu_gaps-" + target + ".so")
    source = os.path.join(config.acre_source, "tests", "qemu_gaps.c")
    clang = [os.path.join(llvm, "clang"), "--target=" + target, "-shared", "-fPIC", "-O1"]
    subprocess.run([*clang, source, "-o", gaps], check=True)
    # Old versions of QEMU take seconds for each program that reserves much address space.
    options = lit_config.params.get("qemu", "-R 0x1000000000")
    emulator = "qemu-%s -L /usr/%s -E LD_PRELOAD=%s %s" % (machine, target, gaps, options)
    with open(acre_cc, "w", encoding="utf-8") as script:
        script.write(
            '#!/bin/sh\nexec %s %s/tests/foreign_cc.py %s %s %s "$@"\n'
            % (sys.executable, config.acre_source, native, target, shlex.quote(emulator))
        )
    os.chmod(acre_cc, 0o755)
    config.available_features.add("foreign")
else:
    config.available_features.add("sanitizers")
if machine == "x86_64":
    config.available_features.add("x86")
# Headers of libraries for which there are notes: where they are installed, programs are tried.
for library, header in {
    "curl": "curl/curl.h",
    "glib": "glib-2.0/glib.h",
    "libxml2": "libxml2/libxml/tree.h",
    "openssl": "openssl/types.h",
    "sqlite": "sqlite3.h",
}.items():
    if any(glob.glob(folder + header) for folder in ("/usr/include/", "/usr/include/*-linux-gnu/")):
        config.available_features.add(library)
if os.path.exists("/dev/full") and stat.S_ISCHR(os.stat("/dev/full").st_mode):
    config.available_features.add("full-device")
if shutil.which("chromium"):
    config.available_features.add("chromium")
each = "%s %s" % (sys.executable, os.path.join(config.acre_source, "tests", "run_each_level.py"))
whole = (
    r"sed -e '/^\(error: \)\?\(Aborted\|Segmentation fault\)$/d' "
    r"-e '/^qemu: uncaught target signal/d' -e 's,[^ (]*/\([^ /]*\.[ch]\),\1,g' | "
    "FileCheck -DFILE=%{s:basename} --implicit-check-not='{{[^ ]}}'"
)
config.substitutions += [
    ("%acre-cc", acre_cc),
    ("%acre ", os.path.join(build, "bin", "acre") + " "),
    ("%frontend", "%clang -fplugin=%plugin -D__ACRE__=1 -isystem %source/include"),
    ("%plugin", plugin),
    ("%clang", os.path.join(llvm, "clang")),
    (
        "%opt",
        os.path.join(llvm, "opt")
        + " -load-pass-plugin="
        + os.path.join(build, "tests", "AcrePass-%s.so" % version),
    ),
    ("%each_level", each + " --acre-cc " + acre_cc),
    ("%whole", whole),
    ("%keep", "-DKEEP='%s'" % keep),
    ("%{python}", sys.executable),
    ("%{major}", version),
    ("%build", build),
    ("%source", config.acre_source),
]
