/* count_stores.c - counts the calls of the runtime's barriers for stores: linked with --wrap for each of them.
 *
 * At exit, one line on standard error: "stores: plain=N sameregion=N parentptr=N traditional=N".
 */
#include <acre/abi.h>

#include <stdio.h>

static unsigned long long plain, sameregion, parentptr, traditional;

void __real_acre_rt_store(void *slot, void *value);
void __real_acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where);
void __real_acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where);
void __real_acre_rt_check_traditional(void *value, const acre_rt_where *where);

void __wrap_acre_rt_store(void *slot, void *value) {
  plain++;
  __real_acre_rt_store(slot, value);
}

void __wrap_acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where) {
  sameregion++;
  __real_acre_rt_check_sameregion(slot, value, where);
}

void __wrap_acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where) {
  parentptr++;
  __real_acre_rt_check_parentptr(slot, value, where);
}

void __wrap_acre_rt_check_traditional(void *value, const acre_rt_where *where) {
  traditional++;
  __real_acre_rt_check_traditional(value, where);
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "stores: plain=%llu sameregion=%llu parentptr=%llu traditional=%llu\n", plain, sameregion, parentptr,
          traditional);
}
