// Masked stores of AVX and scatters of AVX-512 left pointers that nobody counted.
// REQUIRES: x86
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <immintrin.h>

struct user {
  int n;
};
static struct user *from[8], *to[8];

__attribute__((target("avx2"))) NOINLINE static void copy_masked(void) {
  _mm256_maskstore_epi64((void *)to, _mm256_set_epi64x(-1, 0, 0, 0),
                         _mm256_loadu_si256((const void *)from));
}

__attribute__((target("avx"))) NOINLINE static void copy_masked_double(void) {
  _mm256_maskstore_pd((void *)to, _mm256_set_epi64x(-1, 0, 0, 0),
                      _mm256_loadu_pd((const void *)from));
}

__attribute__((target("avx512f"))) NOINLINE static void scatter(void) {
  __m512i order = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  _mm512_mask_i64scatter_epi64((void *)to, 0xf0, order, _mm512_loadu_si512(from), 8);
}

static void check(void copy(void), int index) deletes {
  region r = newregion();
  from[index] = ralloc(r, struct user);
  copy();
  int at = 0;
  while (at < 8 && !to[at])
    at++;
  CHECK(at < 8 && to[at] == from[index]);
  from[index] = NULL;
  DELETE_REFUSED(r);
  to[at] = NULL;
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) {
    check(copy_masked, 3);
    check(copy_masked_double, 3);
  }
  if (__builtin_cpu_supports("avx512f"))
    check(scatter, 5);
  return 0;
}
