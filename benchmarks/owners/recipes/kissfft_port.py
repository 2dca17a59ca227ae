# SPDX-License-Identifier: MIT
"""KISS FFT, ported: a configuration, a buffer of the tools and a node of the cache has one owner.

An allocator makes an owner, or sets up memory of its caller or only says how much is needed; the
word stands for the first, and where it is one of the others its result is released.  A
configuration has plain pointers into itself.

Plain stay the streams that may be standard input or output, and what libpng ends by way of the
address of a pointer.
"""

FILES = ()
KINDS = ("*.[ch]", "tools/*.c", "test/*.[ch]")
TRANSFORMS = {"fft": ("", "_stride"), "fftr": ("", "i"), "fftnd": ("",), "fftndr": ("", "i")}
FILTER = "tools/kiss_fastfir.c"
PICTURE = "tools/psdpng.c"


def port(tree):
    tree.replace("kiss_fft.h", r"^#include <stdlib\.h>$", r"#include <acre/own.h>\n\g<0>")
    for name, forms in TRANSFORMS.items():
        port_signatures(tree, name, forms)
    port_transforms(tree)
    port_cache(tree)
    port_filter(tree)
    port_picture(tree)
    port_others(tree)


def port_signatures(tree, name, forms):
    """An allocator's result is an owner; what transforms are given is lent."""
    for file in (f"kiss_{name}.h", f"kiss_{name}.c"):
        tree.replace(
            file,
            rf"^(\s*kiss_{name}_cfg)(?= (?:KISS_FFT_API )?kiss_{name}_alloc\b)",
            r"\1 unique",
        )
        for form in forms:
            tree.replace(
                file,
                rf"(?s)(\bkiss_{name}{form} ?\(\s*kiss_{name}_cfg) (\s*\w+,\s*const \w+ ?\*)"
                r"(\w+,\s*\w+ ?\*)(?=\w+[,)])",
                r"\1 borrowed \2borrowed \3borrowed ",
            )


def release(tree, name, calls, count):
    """Calls that allocate nothing."""
    tree.replace(name, rf"(?<!\w)({calls} ?\(.*\))(?=;)", r"acre_release(\1)", count)


def port_transforms(tree):
    for name, space in (("fft", ""), ("fftr", " ")):
        kind, file = f"kiss_{name}_cfg", f"kiss_{name}.c"
        tree.replace(file, rf"\b{kind} st(?= ?= ?NULL)", f"{kind} unique st")
        tree.replace(file, rf"= \({kind}\){space}mem\b", f"= ({kind} unique){space}mem")
    for name in ("fftnd", "fftndr"):
        kind, file = f"kiss_{name}_cfg", f"kiss_{name}.c"
        tree.replace(file, rf"\b{kind} st(?= = NULL)", f"{kind} unique st")
        tree.replace(file, rf"st = \({kind}\) ptr", f"st = ({kind} unique) ptr")
    tree.replace("kiss_fft.c", r"(?<=kiss_fft_cpx \*) (?=tmpbuf =)", "unique ")
    tree.replace("kiss_fftr.c", r"\(st \+ 1\);", "acre_unowned(st + 1);")
    release(tree, "kiss_fftr.c", "kiss_fft_alloc", 2)
    release(tree, "kiss_fftnd.c", "kiss_fft_alloc", 3)
    release(tree, "kiss_fftndr.c", "kiss_fft(?:r|nd)_alloc", 4)


def port_cache(tree):
    """The place where a node belongs is looked for, in the place of the node before it."""
    name = "kfc.c"
    tree.replace(name, r"^    kfc_cfg next", "    kfc_cfg unique next")
    tree.replace(name, r"^static kfc_cfg cache_root", "static kfc_cfg unique cache_root")
    release(tree, name, "kiss_fft_alloc", 2)
    tree.replace(
        name,
        r"^    kfc_cfg  cur=cache_root;\n    kfc_cfg  prev=NULL;",
        "    kfc_cfg unique cur;\n    kfc_cfg unique *link=&cache_root;",
    )
    tree.replace(name, r"while \( cur \)", "while ( *link )")
    tree.replace(
        name, r"cur->(nfft == nfft && inverse == )cur->(?=inverse)", r"(*link)->\1(*link)->"
    )
    tree.replace(name, r"^(        )prev = cur;\n.*prev->next;", r"\1link = &(*link)->next;")
    tree.replace(
        name,
        r"^(    if \()cur== NULL\) \{$",
        r"\1*link == NULL) {" + "\n"
        r"        link = acre_unowned(link); /* kiss_fft_alloc frees none of them */",
    )
    tree.replace(name, r"(?<=\))\(cur\+1\)", "acre_unowned(cur+1)", 2)
    tree.replace(
        name,
        r"^        if \( prev \)\n.*\n        else\n.*;$",
        "        acre_release(acre_swap(link, cur)); /* null */",
    )
    tree.replace(name, r"return cur->cfg", "return (*link)->cfg")
    tree.replace(
        name, r"^    kfc_cfg  cur=cache_root;", "    kfc_cfg unique cur=acre_take(&cache_root);"
    )
    tree.replace(name, r"^    kfc_cfg  next=NULL;", "    kfc_cfg unique next=NULL;")
    tree.replace(name, r"next = cur->next;", "next = acre_take(&cur->next);")


def port_filter(tree):
    tree.replace(FILTER, r"^(kiss_fastfir_cfg)(?= kiss_fastfir_alloc)", r"\1 unique", 2)
    tree.replace(FILTER, r"\bkiss_fastfir_cfg st(?= = NULL)", "kiss_fastfir_cfg unique st")
    tree.replace(FILTER, r"= \(kiss_fastfir_cfg\) mem", "= (kiss_fastfir_cfg unique) mem")
    tree.replace(FILTER, r"(?<=ptr=\(char\*\))\(st\+1\)", "acre_unowned(st+1)")
    release(tree, FILTER, "FFT_ALLOC", 4)
    tree.replace(FILTER, r"^(    kffsamp_t \*)(\w+, ?\*)(?=\w+;)", r"\1unique \2unique ", 2)
    tree.replace(FILTER, r"^    kiss_fastfir_cfg cfg;", "    kiss_fastfir_cfg unique cfg;")
    tree.replace(FILTER, r"^    kffsamp_t \* h;", "    kffsamp_t *unique h;")
    # Two leaks: of all but the last file that is named, and of the response.
    tree.replace(FILTER, r"FILE \*filtfile", "FILE *unique filtfile")
    tree.replace(FILTER, r"^( *)(?=filtfile = fopen)", r"\1if (filtfile) fclose(filtfile);\n\1")
    tree.replace(FILTER, r"^    if \(fin!=stdin\).*\n", r"\g<0>    free(h);\n")


def port_picture(tree):
    tree.replace(PICTURE, r"^static float \* vals=", "static float *unique vals=")
    tree.replace(PICTURE, r"^(    (?:kiss_fft_\w+|float|short) \*)(?=\w+;)", r"\1unique ", 4)
    tree.replace(PICTURE, r"^    kiss_fftr_cfg cfg=", "    kiss_fftr_cfg unique cfg=")
    tree.replace(PICTURE, r"^(    (?:png_bytepp|rgb_t \*)) (?=\w+=NULL;)", r"\1 unique ", 2)
    tree.replace(PICTURE, r"\brealloc\(vals,", "realloc(acre_take(&vals),")
    tree.replace(PICTURE, r"\bfree\(vals\)", "free(acre_take(&vals))")
    tree.replace(PICTURE, r"\((row_data \+ i\*nfreqs)\)", r"acre_unowned(\1)")
    tree.replace(PICTURE, r"(?<=info_ptr, )row_pointers", "acre_unowned(row_pointers)")


def port_others(tree):
    name = "tools/fftutil.c"
    tree.replace(name, r"^(    kiss_fft(?:nd|ndr|r)?_cfg) st;", r"\1 unique st;", 4)
    tree.replace(name, r"^(    (?:kiss_fft_\w+|void) ?\*) ?(?=\w+;)", r"\1unique ", 7)
    name = "test/twotonetest.c"
    tree.replace(name, r"^    kiss_fftr_cfg cfg(?=\s*= NULL)", "    kiss_fftr_cfg unique cfg")
    tree.replace(name, r"^(    kiss_fft_\w+ \*)(?=\w+\s*= NULL)", r"\1unique ", 2)
    frees = "".join(f"    free({variable});\n" for variable in ("cfg", "tbuf", "kout"))
    tree.replace(name, r"^    kiss_fft_cleanup\(\);\n", r"\g<0>" + frees)  # they were lost
    tree.replace("test/test_real.c", r"^(    kiss_fftr?_cfg)(?=  \w+;)", r"\1 unique", 2)
    name = "test/benchkiss.c"
    tree.replace(name, r"^(    kiss_fft_cpx \*) ?(?=\w+;)", r"\1unique ", 2)
    tree.replace(name, r"^(            kiss_\w+_cfg)(?= st ?=)", r"\1 unique", 4)
