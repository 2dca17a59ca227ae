// With -facre-bounds a function of the C library that is told how many bytes it may access is
// checked for all of them: as it is called, as the headers' checked versions call it, as a function
// that the compiler knows nothing of, and where file offsets have 64 bits.
// RUN: %each_level -o %t %s -- -facre-bounds
// RUN: %each_level -o %t %s -- -facre-bounds -D_FORTIFY_SOURCE=2 -Wno-#warnings
// RUN: %each_level -o %t %s -- -facre-bounds -D_FORTIFY_SOURCE=3 -Wno-#warnings
// RUN: %each_level -o %t %s -- -facre-bounds -fno-builtin
// RUN: %each_level -o %t %s -- -facre-bounds -D_FILE_OFFSET_BITS=64
#define _GNU_SOURCE
#include "../Inputs/check.h"

#include "../Inputs/bounded_forms.h"
#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wchar.h>

enum { COUNT = 24, WIDE = COUNT / sizeof(wchar_t) };

static char *bytes, *more;
static wchar_t *wide, *others;
static int file, ends[2];
static FILE *stream;

/* Each accesses size bytes from the start of its object, or at least may. */
NOINLINE static void do_read(size_t size) { CHECK(read(file, bytes, size) >= 0); }
NOINLINE static void do_pread(size_t size) { CHECK(pread(file, bytes, size, 0) >= 0); }
NOINLINE static void do_write(size_t size) { CHECK(write(file, bytes, size) >= 0); }
NOINLINE static void do_pwrite(size_t size) { CHECK(pwrite(file, bytes, size, 0) >= 0); }
NOINLINE static void do_send(size_t size) { CHECK(send(ends[0], bytes, size, 0) >= 0); }
NOINLINE static void do_recv(size_t size) {
  CHECK(recv(ends[1], bytes, size, MSG_DONTWAIT) >= -1);
}
NOINLINE static void do_fgets(size_t size) {
  rewind(stream);
  CHECK(fgets(bytes, (int)size, stream) || feof(stream));
}
NOINLINE static void do_strncpy(size_t size) { strncpy(bytes, "text", size); }
NOINLINE static void do_memcmp(size_t size) { CHECK(memcmp(bytes, more, size) <= 0); }
NOINLINE static void do_memcmp_of_second(size_t size) {
  static char large[2 * COUNT];
  CHECK(memcmp(large, bytes, size) <= 0);
}
NOINLINE static void do_memcpy(size_t size) { memcpy(bytes, more, size); }
NOINLINE static void do_memcpy_from(size_t size) {
  static char large[2 * COUNT];
  memcpy(large, more, size);
}
NOINLINE static void do_memmove(size_t size) { memmove(bytes, more, size); }
NOINLINE static void do_mempcpy(size_t size) {
  CHECK((char *)mempcpy(bytes, more, size) == bytes + size);
}
NOINLINE static void do_memset(size_t size) { memset(bytes, 0, size); }
NOINLINE static void do_wmemcpy(size_t size) { wmemcpy(wide, others, size / sizeof *wide); }
NOINLINE static void do_wmemset(size_t size) { wmemset(wide, L'w', size / sizeof *wide); }

NOINLINE static void do_fread(size_t size) {
  rewind(stream);
  CHECK(fread(bytes, 1, size, stream) > 0 || feof(stream));
}
NOINLINE static void do_fread_of_elements(size_t size) {
  rewind(stream);
  CHECK(fread(bytes, size / 4, 4, stream) > 0 || feof(stream));
}
NOINLINE static void do_fwrite(size_t size) {
  CHECK(fwrite(bytes, size, 1, stream) == 1 && fflush(stream) == 0);
}
NOINLINE static void do_stpncpy(size_t size) { CHECK(stpncpy(bytes, "text", size) > bytes); }
NOINLINE static void do_memrchr(size_t size) { CHECK(memrchr(bytes, 'x', size) != bytes + size); }
NOINLINE static void do_memmem(size_t size) { CHECK(!memmem(bytes, size, "absent", 6)); }
NOINLINE static int compare(const void *a, const void *b) { return memcmp(a, b, 2); }
NOINLINE static void do_qsort(size_t size) { qsort(bytes, size / 2, 2, compare); }
NOINLINE static void do_bsearch(size_t size) {
  CHECK(!bsearch("\377\377", bytes, size / 2, 2, compare));
}
NOINLINE static void do_sendto(size_t size) {
  CHECK(sendto(ends[0], bytes, size, 0, NULL, 0) >= 0);
}
NOINLINE static void do_recvfrom(size_t size) {
  CHECK(recvfrom(ends[1], bytes, size, MSG_DONTWAIT, NULL, NULL) >= -1);
}
NOINLINE static void do_getrandom(size_t size) {
  CHECK(getrandom(bytes, size, 0) == (ssize_t)size);
}
NOINLINE static void do_readlink(size_t size) {
  CHECK(readlink("/proc/self/exe", bytes, size) > 0);
}
NOINLINE static void do_getcwd(size_t size) {
  char *at = getcwd(bytes, size);
  CHECK(!at || at == bytes);
}
NOINLINE static void do_gethostname(size_t size) { CHECK(gethostname(bytes, size) >= -1); }

static const bounded_form forms[] = {
    {"read", do_read},
    {"pread", do_pread},
    {"write", do_write},
    {"pwrite", do_pwrite},
    {"send", do_send},
    {"recv", do_recv},
    {"fgets", do_fgets},
    {"strncpy", do_strncpy},
    {"memcmp", do_memcmp},
    {"memcmp, second", do_memcmp_of_second},
    {"memcpy", do_memcpy},
    {"memcpy, from", do_memcpy_from},
    {"memmove", do_memmove},
    {"mempcpy", do_mempcpy},
    {"memset", do_memset},
    {"wmemcpy", do_wmemcpy},
    {"wmemset", do_wmemset},
    {"fread", do_fread},
    {"fread, elements", do_fread_of_elements},
    {"fwrite", do_fwrite},
    {"stpncpy", do_stpncpy},
    {"memrchr", do_memrchr},
    {"memmem", do_memmem},
    {"qsort", do_qsort},
    {"bsearch", do_bsearch},
    {"sendto", do_sendto},
    {"recvfrom", do_recvfrom},
    {"getrandom", do_getrandom},
    {"readlink", do_readlink},
    {"getcwd", do_getcwd},
    {"gethostname", do_gethostname},
};

int main(void) {
  stream = tmpfile();
  CHECK(stream && fputs("some line\n", stream) >= 0 && fflush(stream) == 0);
  file = fileno(stream);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  region r = newregion();
  bytes = rstralloc(r, COUNT);
  more = rstralloc(r, COUNT);
  wide = rarrayalloc(r, WIDE, wchar_t);
  others = rarrayalloc(r, WIDE, wchar_t);
  CHECK_FORMS(forms, COUNT, COUNT + sizeof(wchar_t));
  bytes = more = NULL;
  wide = others = NULL;
  deleteregion(r);
}
