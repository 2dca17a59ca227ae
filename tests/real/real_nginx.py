"""nginx as it is, for what is asked of its source; tests/ports runs it."""

PACKAGE = "nginx"


def build(tree):
    tree.run(
        "./configure",
        f"--with-cc={tree.cc}",
        "--with-cc-opt=-O1 -w",
        "--without-http_rewrite_module",
        "--without-http_gzip_module",
    )
    tree.make()
