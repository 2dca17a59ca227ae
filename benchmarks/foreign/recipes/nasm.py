# SPDX-License-Identifier: MIT
"""NASM, the assembler: macros, tokens in blocks of an own free list, red-black trees, arrays that
grow in pieces."""

import glob
import hashlib
import os

from toolchain import run_program

PACKAGE = "nasm"
PORT = "nasm_port"
MEMORY = "tokens in blocks with a free list, arrays in pieces, hash tables and trees, malloc"
FILES = ("asm/*.[ch]", "nasmlib/*.[ch]", "output/*.[ch]", "common/*.[ch]", "include/*.h")
BINARY = "nasm"
SETTINGS = ()
RUNS = {
    "small": ("-f", "elf64", "-g", "-o", "out", "small.asm"),
    "default": ("-f", "elf64", "-g", "-o", "out", "default.asm"),
}
OUTPUTS = ("out",)
MACROS = """\
%macro enter_frame 1
    push rbp
    mov rbp, rsp
    sub rsp, %1
%endmacro
%macro leave_frame 0
%%out:
    mov rsp, rbp
    pop rbp
    ret
%endmacro
%define field(base, index) [base + 8 * index]
%assign counter 0
%macro table 2-*
  %rep %0
    dq %1 + counter
    %assign counter counter + 1
    %rotate 1
  %endrep
%endmacro
"""


def source(functions):
    lines = [MACROS, "section .text"]
    for number in range(functions):
        other = (number * 13 + 5) % functions
        lines.append(
            f"global f{number}\nf{number}:\n    enter_frame {16 + number % 64}\n    mov rax,"
            f" field(rdi, {number % 9})\n    cmp rax, {number}\n    je .same\n    lea rcx, [rel"
            f" text{other}]\n    call f{other}\n    jmp near .done\n.same:\n    add rax, field(rsi,"
            f" {number % 5})\n    vaddps ymm1, ymm2, [rdi + rax * 4]\n.done:\n%if counter % 3 =="
            f" {number % 3}\n    xor rdx, rdx\n%else\n    inc rdx\n%endif\n    jnz .same\n   "
            " leave_frame\n"
        )
    lines.append("section .data")
    for number in range(functions):
        lines.append(f"text{number}: db 'text {number}', 0\n    align 8")
        lines.append(f"    table f{number}, text{number}, {number}, {number} * 3 + 1")
    return "\n".join(lines) + "\n"


def write_loads(directory):
    for key, functions in (("small", 150), ("default", 1300)):
        with open(os.path.join(directory, key + ".asm"), "w", encoding="ascii") as file:
            file.write(source(functions))


def build(tree, flags):
    text = " ".join(flags)
    tree.run("./configure", f"CC={tree.cc}", f"CFLAGS={text}", f"LDFLAGS={text}")
    # It sets all locals to zero where the compiler can: measured is the program itself.
    with open(tree.path("Makefile"), "r+", encoding="utf-8") as file:
        makefile = file.read().replace("-ftrivial-auto-var-init=zero", "")
        file.seek(0)
        file.truncate()
        file.write(makefile)
    tree.make("nasm")


def check(tree):
    """Each of its test sources: exit status, messages and object code as a digest, for both to be
    compared."""
    said = {}  # without what prints the time
    for path in sorted(glob.glob(tree.path("travis", "test", "*.asm"))):
        for kind in () if path.endswith("time.asm") else ("bin", "elf64"):
            result = run_program(
                [tree.path("nasm"), "-f", kind, "-o", tree.path("checked"), os.path.basename(path)],
                cwd=os.path.dirname(path),
            )
            made = b""
            if result[0] == 0 and os.path.exists(tree.path("checked")):
                with open(tree.path("checked"), "rb") as file:
                    made = file.read()
            digest = hashlib.sha256(repr(result).encode() + made).hexdigest()[:12]
            said[f"{os.path.basename(path)} {kind}"] = f"ok {digest}"
    return said
