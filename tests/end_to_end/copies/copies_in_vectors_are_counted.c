// Memory copied in vectors, by intrinsics or the vector types of the compiler, lost the pointers in
// it.
// REQUIRES: x86
// RUN: %each_level -o %t %s -- -mavx
#include "../Inputs/check.h"
#include <immintrin.h>

struct four {
  node *nodes[4];
};
static _Alignas(32) struct four to;
typedef long long pair __attribute__((vector_size(16)));
typedef float quad __attribute__((vector_size(16)));

NOINLINE static void copy_integers(void *d, const void *s) {
  _mm_storeu_si128(d, _mm_loadu_si128(s));
  _mm_store_si128((__m128i *)d + 1, _mm_loadu_si128((const __m128i *)s + 1));
}
NOINLINE static void copy_numbers(void *d, const void *s) {
  _mm256_storeu_ps(d, _mm256_loadu_ps(s));
}
NOINLINE static void copy_halves(void *to_halves, const void *from_halves) {
  char *d = to_halves;
  const char *s = from_halves;
  _mm_storel_epi64((__m128i *)d, _mm_loadl_epi64((const __m128i *)s));
  _mm_storeh_pd((double *)(d + 8), _mm_loadh_pd(_mm_setzero_pd(), (const double *)(s + 8)));
  _mm_stream_si128((__m128i *)(d + 16), _mm_loadu_si128((const __m128i *)(s + 16)));
}
NOINLINE static void copy_types(void *d, const void *s) {
  ((pair *)d)[0] = ((const pair *)s)[0];
  ((quad *)d)[1] = ((const quad *)s)[1];
}

int main(void) {
  region r = newregion();
  _Alignas(32) struct four filled = {{new_node(r), new_node(r), new_node(r), new_node(r)}};
  struct four *from = opaque(&filled);
#define COUNTED(copy) (copy(opaque(&to), from), CHECK_COUNT(r, 4), memset(&to, 0, sizeof to))
  COUNTED(copy_integers);
  COUNTED(copy_numbers);
  COUNTED(copy_halves);
  COUNTED(copy_types);
}
