/* count_stores.c - counts the calls of the runtime's barriers: linked with --wrap for each of them.
 *
 * At exit, one line on standard error: "stores: plain=N sameregion=N parentptr=N traditional=N copies=N".  Copies are
 * those of structures and arrays that may hold pointers.
 */
#include <acre/abi.h>

#include <stdio.h>

static unsigned long long plain, sameregion, parentptr, traditional, copies;

void __real_acre_rt_store(void *slot, void *value);
void __real_acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where);
void __real_acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where);
void __real_acre_rt_check_traditional(void *value, const acre_rt_where *where);
void __real_acre_rt_rescan(void *address, size_t size);
void __real_acre_rt_rescan_typed(void *address, size_t size, const acre_type *type, const acre_rt_where *where);

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

void __wrap_acre_rt_rescan(void *address, size_t size) {
  copies++;
  __real_acre_rt_rescan(address, size);
}

void __wrap_acre_rt_rescan_typed(void *address, size_t size, const acre_type *type, const acre_rt_where *where) {
  copies++;
  __real_acre_rt_rescan_typed(address, size, type, where);
}

__attribute__((destructor)) static void report(void) {
  fprintf(stderr, "stores: plain=%llu sameregion=%llu parentptr=%llu traditional=%llu copies=%llu\n", plain, sameregion,
          parentptr, traditional, copies);
}
