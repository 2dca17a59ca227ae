"""Fetches Debian source packages into a cache, without touching the machine's own apt
configuration.

A private sources list is derived from the machine's configured repositories (one-line and deb822
form): the same archives, for source packages only.  Everything apt writes goes below the cache
directory.
"""

import fcntl
import glob
import os
import re
import shutil
import subprocess


class Unavailable(Exception):
    """The source cannot be had here: no network, no apt, no such package."""


def codename():
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            found = re.search(r"^VERSION_CODENAME=\"?([a-z]+)", file.read(), re.M)
    except OSError:
        found = None
    if not found:
        raise Unavailable("this system does not say its release name in /etc/os-release")
    return found.group(1)


def one_line_entries(text):
    """Entries of a .list file, as deb822 fields."""
    for line in text.splitlines():
        match = re.match(r"\s*deb(?:-src)?\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)", line)
        if not match:
            continue
        options, uri, suite, components = match.groups()
        entry = {"URIs": uri, "Suites": suite, "Components": components.strip()}
        for option in (options or "").split():
            key, _, value = option.partition("=")
            if key.lower() == "signed-by":
                entry["Signed-By"] = value.replace(",", " ")
        yield entry


def deb822_entries(text):
    """Entries of a .sources file.  A field keeps its continuation lines: a key may stand in the
    file itself."""
    without_comments = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for paragraph in re.split(r"\n\s*\n", without_comments):
        fields = {}
        for match in re.finditer(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.M):
            fields[match.group(1).lower()] = match.group(2)
        if fields.get("enabled", "yes").strip().lower() == "no" or "uris" not in fields:
            continue
        names = ("URIs", "Suites", "Components", "Signed-By")
        yield {name: fields[name.lower()] for name in names if name.lower() in fields}


def configured_entries(etc):
    files = [
        os.path.join(etc, "sources.list"),
        *sorted(glob.glob(os.path.join(etc, "sources.list.d", "*"))),
    ]
    for path in files:
        if not path.endswith((".list", ".sources")) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8") as file:
            yield from (one_line_entries if path.endswith(".list") else deb822_entries)(file.read())


def source_list(etc="/etc/apt", release=None):
    """The private list, as deb822 text: this release's own suites only."""
    release = release or codename()
    wanted = (release, release + "-updates", release + "-security")
    paragraphs = []
    for entry in configured_entries(etc):
        suites = [suite for suite in entry["Suites"].split() if suite in wanted]
        if suites:
            fields = {"Types": "deb-src", **entry, "Suites": " ".join(suites)}
            paragraph = "".join(f"{key}: {value}\n" for key, value in fields.items())
            if paragraph not in paragraphs:
                paragraphs.append(paragraph)
    if not paragraphs:
        raise Unavailable(f"no repository of release {release} is configured in {etc}")
    return "\n".join(paragraphs)


def run_apt(cache, *arguments, cwd=None):
    private = {
        "Dir::Etc::SourceList": os.path.join(cache, "apt", "private.sources"),
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State": os.path.join(cache, "apt", "state"),
        "Dir::Cache": os.path.join(cache, "apt", "cache"),
        "APT::Sandbox::User": "root",
        "APT::Update::Error-Mode": "any",
        "Acquire::Retries": "2",
        "Acquire::http::Timeout": "20",
        "Acquire::https::Timeout": "20",
    }
    command = ["apt-get", "-q"]
    for key, value in private.items():
        command += ["-o", f"{key}={value}"]
    try:
        done = subprocess.run(
            [*command, *arguments], cwd=cwd, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise Unavailable("apt-get is not installed") from error
    if done.returncode:
        lines = [
            line for line in done.stderr.splitlines() if line.startswith(("E:", "dpkg-source"))
        ]
        raise Unavailable(
            f"apt-get {arguments[0]}: " + (lines[0] if lines else done.stderr.strip()[:200])
        )


def unpacked(cache, package):
    """The package's unpacked tree in the cache, or None."""
    found = [path for path in glob.glob(os.path.join(cache, package, "*")) if os.path.isdir(path)]
    is_complete = os.path.exists(os.path.join(cache, package, "complete"))
    return found[0] if found and is_complete else None


def fetch(cache, package):
    """Returns the directory of the package's source, which callers must not change."""
    os.makedirs(cache, exist_ok=True)
    with open(os.path.join(cache, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        tree = unpacked(cache, package)
        if tree:
            return tree
        if not shutil.which("dpkg-source"):
            raise Unavailable("dpkg-source is not installed (package dpkg-dev)")
        lists = os.path.join(cache, "apt", "updated")
        if not os.path.exists(lists):
            for part in ("state/lists/partial", "cache/archives/partial"):
                os.makedirs(os.path.join(cache, "apt", part), exist_ok=True)
            with open(os.path.join(cache, "apt", "private.sources"), "w", encoding="utf-8") as file:
                file.write(source_list())
            run_apt(cache, "update")
            open(lists, "w", encoding="utf-8").close()
        target = os.path.join(cache, package)
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        try:
            run_apt(cache, "source", package, cwd=target)
        except Unavailable:
            # An update is listed before all mirrors have it: the version that the release came
            # with.
            run_apt(cache, "source", f"{package}/{codename()}", cwd=target)
        open(os.path.join(target, "complete"), "w", encoding="utf-8").close()
        return unpacked(cache, package)
