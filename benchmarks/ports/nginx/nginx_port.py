# SPDX-License-Identifier: MIT
"""nginx with counted regions for its pools: what a port by hand would change, as rules.

  cycle          a region of its own
  connection     a subregion of the cycle's
  request        a subregion of its connection's, with all its sub-requests, as in nginx
  to a server    (connections of the proxy) a subregion of the cycle's, because some are kept for
                 the next request

ngx_palloc.[ch] of ours take the place of nginx's.  A pool is destroyed in the middle of handlers
whose callers still hold its objects, and any handler can come to that.  So the region is deleted
from the loop that waits for events, and `deletes` is needed only from there to main.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import patch  # noqa: E402
from nginx_annotations import ANNOTATIONS  # noqa: E402

PACKAGE = "nginx"
MEMORY = os.path.join(ROOT, "benchmarks", "programs", "memory")
KINDS = (
    "src/core/*.[ch]",
    "src/event/*.[ch]",
    "src/event/modules/*.[ch]",
    "src/http/*.[ch]",
    "src/http/modules/*.[ch]",
    "src/os/unix/*.[ch]",
)
# valgrind cannot read what clang writes by default.
DEBUG = "-gdwarf-4"
MODULES = (
    "--without-http_rewrite_module",
    "--without-http_uwsgi_module",
    "--without-http_scgi_module",
    "--without-http_memcached_module",
    "--without-http_grpc_module",
    "--with-http_addition_module",
    "--with-http_auth_request_module",
    "--with-http_stub_status_module",
    "--with-http_slice_module",
)
JOBS = 2
REPLACED = ("ngx_palloc.h", "ngx_palloc.c")
CYCLE = "src/os/unix/ngx_process_cycle.c"


def delete_regions(tree):
    """Where regions are deleted, and the functions between that and main."""
    wait = r"^( *)ngx_process_events_and_timers\(cycle\);$"
    # Behind the wait, not before: a signal that comes meanwhile is looked for next.
    tree.replace(CYCLE, wait, r"\g<0>\n\1ngx_reclaim_pools();", 3)
    # The regions of a configuration's temporary pools go before processes are made, which would
    # inherit them.
    tree.replace(
        CYCLE,
        r"^ngx_start_worker_processes\(.*\)\n\{\n(?:.*\n)*?\n",
        r"\g<0>    ngx_reclaim_pools();\n\n",
    )
    parameters = r"\([^)]*\)"
    functions = (
        "ngx_start_worker_processes",
        "ngx_start_cache_manager_processes",
        "ngx_reap_children",
        "ngx_worker_process_cycle",
        "ngx_cache_manager_process_cycle",
    )
    for name in functions:
        tree.replace(CYCLE, rf"^((?:static .*)?\b{name}{parameters})(;|\n\{{)", r"\1 deletes\2", 2)
    for name in ("ngx_master_process_cycle", "ngx_single_process_cycle"):
        tree.replace(CYCLE, rf"^({name}{parameters})(\n\{{)", r"\1 deletes\2")
        tree.replace("src/os/unix/ngx_process_cycle.h", rf"\b({name}{parameters});", r"\1 deletes;")
    tree.replace(
        "src/os/unix/ngx_process.c",
        rf"^(ngx_(?:spawn_process|execute){parameters})(\n\{{)",
        r"\1 deletes\2",
        2,
    )
    tree.replace(
        "src/os/unix/ngx_process.h",
        rf"\b(ngx_(?:spawn_process|execute){parameters});",
        r"\1 deletes;",
        2,
    )
    tree.replace(
        "src/os/unix/ngx_process.h", rf"(\(\*ngx_spawn_proc_pt\) ?{parameters});", r"\1 deletes;"
    )
    tree.replace("src/core/nginx.c", rf"^(ngx_exec_new_binary{parameters})(\n\{{)", r"\1 deletes\2")
    tree.replace("src/core/ngx_cycle.h", rf"\b(ngx_exec_new_binary{parameters});", r"\1 deletes;")
    tree.replace(
        "src/os/unix/ngx_process.c",
        rf"\b(ngx_execute_proc{parameters})(;|\n\{{)",
        r"\1 deletes\2",
        2,
    )


def nest_pools(tree):
    """Which pool is whose."""
    for name in ("src/event/ngx_event_accept.c", "src/event/ngx_event_udp.c"):
        tree.replace(name, r"ngx_create_pool\((?=ls->)", "ngx_create_subpool(ngx_cycle->pool, ")
    tree.replace(
        "src/http/ngx_http_request.c",
        r"ngx_create_pool\((?=cscf->)",
        "ngx_create_subpool(c->pool, ",
    )
    # The configuration keeps pointers to what it was made of, so this lives as long.
    tree.replace(
        "src/core/ngx_cycle.c",
        r"(conf\.temp_pool = )ngx_create_pool\(",
        r"\1ngx_create_dependent_pool(pool, ",
    )
    tree.replace("src/core/ngx_cycle.c", r"^ *ngx_destroy_pool\(conf(?:\.|->)temp_pool\);\n", "", 2)
    tree.replace(
        "src/http/ngx_http_upstream.c",
        r"ngx_create_pool\((?=\d+,)",
        "ngx_create_subpool(ngx_cycle->pool, ",
    )


def forget_pointers(tree):
    """Pointers that outlive what they point to, as nginx leaves them."""
    tree.replace(
        "src/core/nginx.c",
        r"^( *)ngx_cycle = cycle;\n",
        r"\g<0>\1ngx_memzero(&init_cycle, sizeof(ngx_cycle_t));\n",
    )
    tree.replace(
        "src/core/ngx_cycle.c",
        r"^( *)pool->log = &cycle->new_log;\n",
        r"\g<0>\1conf.temp_pool->log = pool->log;\n",
    )
    tree.replace(
        "src/core/ngx_cycle.c",
        r"^( *)ngx_destroy_pool\(old_cycle->pool\);$",
        r"\1ngx_forget_previous(cycle);\n\g<0>",
    )
    tree.replace(
        "src/core/ngx_connection.c",
        r"^( *)c->fd = \(ngx_socket_t\) -1;\n(?=\n *if \(c->shared\))",
        r"\g<0>\1ngx_forget_connection(c);\n",
    )
    tree.replace(
        "src/event/ngx_event_accept.c",
        r"^( *)ngx_destroy_pool\(c->pool\);$",
        r"\g<0>\n\1ngx_forget_connection(c);",
    )
    # It would be copied into a request with what its caller's frame held before.
    tree.replace(
        "src/http/ngx_http_parse.c", r"^( *)args->len = 0;$", r"\g<0>\n\1args->data = NULL;"
    )


def move_to_what_they_hold(tree):
    """What mostly points elsewhere than into its own pool."""
    # What the log says of a request lies in its pool, and the log leads there while the request is
    # there.
    request = "src/http/ngx_http_request"
    tree.replace(
        request + ".h",
        r"^( *)(?=ngx_uint_t +access_code;)",
        r"\g<0>ngx_http_log_ctx_t *parentptr before_log_ctx;\n\1",
    )
    tree.replace(
        request + ".c",
        r"^( *)ctx = (c->log->data);$",
        r"\1ctx = ngx_palloc(r->pool, sizeof(ngx_http_log_ctx_t));\n\1ctx->connection = c;\n"
        r"\1r->before_log_ctx = \2;\n\1\2 = ctx;",
    )
    tree.replace(
        request + ".c",
        r"^( *)ctx->request = NULL;\n(?=\n *r->request_line)",
        r"\g<0>\1log->data = r->before_log_ctx;\n",
    )
    for name, count in (
        ("core/ngx_buf", 1),
        ("core/ngx_output_chain", 1),
        ("http/ngx_http_request", 1),
        ("http/ngx_http_upstream", 2),
    ):
        tree.replace(f"src/{name}.c", r"(\bstart = ngx_palloc)(?=\()", r"\1_buffer", count)
    # Connections are not in a pool; nor is the log of each, to which much of what is in pools
    # leads, nor the head of their queue.
    tree.replace(
        "src/core/ngx_connection.h",
        r"^( *)(?=unsigned +buffered:8;)",
        r"\g<0>ngx_log_t own_log;\n\1",
    )
    tree.replace(
        "src/event/ngx_event_accept.c",
        r"(log = )ngx_palloc\(c->pool, sizeof\(ngx_log_t\)\);",
        r"\1&c->own_log;",
    )
    queue = "reusable_connections_queue"
    tree.replace("src/core/ngx_cycle.h", rf"^( *ngx_queue_t +)({queue};)$", r"\1*\2")
    tree.replace(
        "src/core/ngx_cycle.c",
        rf"^( *)ngx_queue_init\(&(cycle->{queue})\);$",
        r"\1\2 = ngx_alloc(sizeof(ngx_queue_t), log);\n\1if (!\2)"
        r" {\n\1\1ngx_destroy_pool(pool);\n\1\1return NULL;\n"
        r"\1}\n\1ngx_queue_init(\2);",
    )
    tree.replace("src/core/ngx_connection.c", rf"&(?=\w+->{queue}\b)", "", 3)


def say_where_results_point(tree):
    """What makes something in a pool, or in that of a list, and is called in other files."""
    core = "src/core/"
    for name, function, parameters, word in (
        (core + "ngx_list", "ngx_list_push", ("list", "l"), "inregion"),
        (core + "ngx_buf", "ngx_alloc_chain_link", ("pool", "pool"), "inregion"),
        (core + "ngx_buf", "ngx_create_temp_buf", ("pool", "pool"), "inregion"),
        (core + "ngx_array", "ngx_array_create", ("p", "p"), "inregion"),
    ):
        for suffix, parameter in zip((".h", ".c"), parameters):
            tree.annotate_variable(
                name + suffix, r"^\w+ \*\n?", rf"{function}(?=\()", f"{word}({parameter})"
            )
    for name, count in (("src/http/ngx_http.c", 3), ("src/http/ngx_http_core_module.c", 4)):
        tree.replace(name, r"(ctx->\w+_conf = ngx_pcalloc)\(cf->pool,", r"\1_beside(ctx,", count)


def say_where_text_lies(tree):
    """The parsers of requests note where parts of a text begin and end: in a buffer that they
    are given, or the URI."""
    parse = "src/http/ngx_http_parse.c"
    for function, start in (
        ("ngx_http_parse_request_line", "b->pos"),
        ("ngx_http_parse_header_line", "b->pos"),
        ("ngx_http_parse_uri", "r->uri_start"),
        ("ngx_http_parse_complex_uri", "r->uri_start"),
        ("ngx_http_parse_complex_uri", r"r->uri\.data"),
    ):
        body = rf"^({function}\(.*(?:\n.+)*\n\{{\n(?:.*\n)*?"
        tree.replace(parse, rf"{body}.*\b[pu] = )({start})", r"\1ngx_text_above(r, \2)")


def port(source, directory):
    """Makes the ported tree of an unpacked source package."""
    tree = patch.Tree(source, directory, KINDS)
    for name in REPLACED:
        tree.supplant(f"src/core/{name}", os.path.join(HERE, name), f"src/core/{name}.original")
    tree.replace("src/core/ngx_core.h", r"^#include <ngx_errno\.h>$", r'#include "memory.h"\n\g<0>')
    tree.replace("src/core/nginx.c", r"^( *)ngx_debug_init\(\);\n", r"\g<0>\1memory_start();\n")
    delete_regions(tree)
    nest_pools(tree)
    forget_pointers(tree)
    move_to_what_they_hold(tree)
    for (name, record), rules in ANNOTATIONS.items():
        tree.annotate(name, record, rules)
    say_where_results_point(tree)
    say_where_text_lies(tree)
    tree.annotate_variable(
        "src/http/ngx_http_postpone_filter_module.c",
        r"ngx_http_postponed_request_t +\*pr, \*",
        r"\*ppr",
        "sameregion",
    )
    tree.annotate_variable(
        "src/http/ngx_http_request.c", r"ngx_http_posted_request_t +\*", r"\*p", "sameregion"
    )
    for before in (r"ngx_queue_t \*locations, void \*", r"^    void \*"):
        tree.annotate_variable("src/http/ngx_http.c", before, r"\*loc_conf", "sameregion")
    return tree


class NotBuilt(Exception):
    """What the build said when it failed."""


def run(command, directory):
    done = subprocess.run(
        command,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise NotBuilt(f"{command[0]}: {done.stdout[-3000:]}")
    return done.stdout


def build(source, directory, compiler, options=(), libraries=(), is_ported=True):
    """Builds nginx in a directory of its own.  Returns what the compiler said; the binary is
    "nginx" there."""
    os.makedirs(directory, exist_ok=True)
    # Warnings are errors to it, and an option that only links is unused where it compiles.
    options = ["-O2", DEBUG, "-Wno-unused-command-line-argument", *options]
    if is_ported:
        options.append(f"-I{MEMORY}")
        memory = os.path.join(directory, "memory.o")
        run([compiler, *options, "-c", os.path.join(MEMORY, "memory.c"), "-o", memory], directory)
        libraries = (memory, *libraries)
    run(
        [
            "sh",
            "./configure",
            f"--builddir={directory}",
            f"--with-cc={compiler}",
            f"--with-cc-opt={' '.join(options)}",
            f"--with-ld-opt={' '.join(libraries)}",
            *MODULES,
        ],
        source,
    )
    return run(["make", f"-j{JOBS}", "-Otarget", "-f", os.path.join(directory, "Makefile")], source)


def arguments(directory):
    """Those with which nginx serves the site that nginx_site laid out there."""
    return ["-p", directory + "/", "-e", "error.log", "-c", "site.conf"]
