// -E defines __ACRE__ and finds the headers; -fno-acre leaves the annotations empty.
// RUN: %acre-cc -E %s | FileCheck --check-prefix=ON %s
// RUN: %acre-cc -E -fno-acre %s | FileCheck --check-prefix=OFF %s
// RUN: %acre-cc -E -dM %s | FileCheck --check-prefix=MACROS %s
#include <acre/annotations.h>
// ON: clang::{{annotate_type|btf_type_tag}}("acre.sameregion")
// OFF: char * p;
char *sameregion p;
// MACROS: #define __ACRE__ 1
