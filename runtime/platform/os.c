/* SPDX-License-Identifier: MIT */
/* os.c - memory, safe reads and messages from the operating system.
 *
 * Invariant: request_count is the number of requests for memory ever made, and the request whose
 * number is fail_at fails.  Both are atomics and nothing else is kept, so no function here needs a
 * lock or initialisation.
 */
#define _GNU_SOURCE
#include "platform/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <acre/abi.h>

#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/sanitizer.h"
#include "platform/thread.h"

/* -- Settings ---------------------------------------------------------------------------------- */

const char *acre_os_setting(const char *name) {
  size_t size = strlen(name);
  if (getauxval(AT_SECURE))
    return NULL;
  for (char **at = environ; at && *at; at++)
    if (**at == *name && strncmp(*at, name, size) == 0 && (*at)[size] == '=')
      return *at + size + 1;
  return NULL;
}

/* -- Failure injection ------------------------------------------------------------------------- */

static _Atomic uint64_t request_count;
static _Atomic uint64_t fail_at; /* the number of the request that fails; 0: none */

bool acre_os_request(void) {
  uint64_t number = atomic_fetch_add_explicit(&request_count, 1, memory_order_relaxed) + 1;
  if (number == 1) {
    const char *wanted = acre_os_setting("ACRE_FAIL_AT");
    uint64_t none = 0;
    char *end = NULL;
    if (wanted)
      atomic_compare_exchange_strong(&fail_at, &none, strtoull(wanted, &end, 10));
    if (end && *end)
      acre_os_fatal("ACRE_FAIL_AT is '%s'; it may be a number", wanted);
  }
  return number != atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void acre_os_fail_at(uint64_t request) {
  uint64_t now = atomic_load_explicit(&request_count, memory_order_relaxed);
  atomic_store_explicit(&fail_at, request ? now + request : 0, memory_order_relaxed);
}

uint64_t acre_os_request_count(void) {
  return atomic_load_explicit(&request_count, memory_order_relaxed);
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* The kernel places large mappings side by side below the stack, so that one address tells the
   others, and a request for much alignment leaves it a few places.  So a place is chosen here.  All
   are in one part of the address space, which is chosen first: what is tested to lie between the
   lowest and the highest is mostly ours then.  Not the first half, where numbers look like
   addresses; nor the parts of the program and its brk, which begins at two thirds, and of the
   kernel's own choices. */
#define PARTS 32
#define FIRST_PART 16
#define PART_OF_PROGRAM 21
#define LAST_PART 30
#define PLACE_TRIES 16

static uint64_t random_bits(void) {
  uint64_t bits;
  if (syscall(SYS_getrandom, &bits, sizeof bits, GRND_NONBLOCK) == sizeof bits)
    return bits;
  /* A policy forbids the system call, so the kernel's random bytes of the program's start are mixed
   * with the clock and hashed: they are secrets of the C library, and must not show in an address.
   */
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  memcpy(&bits, (const void *)getauxval(AT_RANDOM), sizeof bits);
  bits ^= (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 2; round++)
    bits = (bits ^ bits >> 31) * 0xbf58476d1ce4e5b9u;
  return bits ^ bits >> 29;
}

/* Sanitizers and Valgrind have their own layout, and setarch -R asks for the same one each time. */
static bool may_choose_place(void) {
  static atomic_int answer; /* 0: not asked yet */
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    int persona = personality(0xffffffff);
    bool is_watched = RUNNING_ON_VALGRIND || __asan_init || __tsan_init || __msan_init;
    known = is_watched || persona < 0 || (persona & ADDR_NO_RANDOMIZE) ? -1 : 1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known > 0;
}

/* The kernel puts AT_RANDOM at the end of the address space of a program, whose size is a power of
 * two: so the size is the next power of two above it. */
static uintptr_t part_bytes(void) {
  uintptr_t last = getauxval(AT_RANDOM);
  return last ? ((uintptr_t)2 << (63 - __builtin_clzl(last))) / PARTS : 0;
}

static uintptr_t start_of_part(uintptr_t bytes) {
  static _Atomic uintptr_t part;
  uintptr_t known = atomic_load_explicit(&part, memory_order_relaxed), none = 0;
  if (known)
    return known * bytes;
  do
    known = FIRST_PART + random_bits() % (LAST_PART - FIRST_PART + 1);
  while (known == PART_OF_PROGRAM);
  return (atomic_compare_exchange_strong(&part, &none, known) ? known : none) * bytes;
}

static bool is_power_of_two(size_t size) { return size && !(size & (size - 1)); }

/* The system's pages, which have up to 64 KiB, that have a part of it, or that lie within it. */
static acre_os_range pages_around(const void *address, size_t size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)address;
  return (acre_os_range){start & -page, (start + size + page - 1) & -page};
}
static acre_os_range pages_within(const void *address, size_t size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)address,
                  first = (start + page - 1) & -page, end = (start + size) & -page;
  return (acre_os_range){first, end > first ? end : first};
}

static bool crosses(uintptr_t start, size_t size, size_t block) {
  return block && start / block != (start + size - 1) / block;
}

static void *map_nothing(uintptr_t wish, size_t size) {
  void *start =
      mmap((void *)wish, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

/* Null if no try finds a free place, or if a tool wants the kernel to choose. */
static void *reserve_at_random(size_t size, size_t align, size_t block) {
  uintptr_t bytes = may_choose_place() ? part_bytes() : 0, page = (uintptr_t)sysconf(_SC_PAGESIZE);
  align = align > page ? align : page;
  if (size >= bytes / 2 || align >= bytes / 2)
    return NULL;
  uintptr_t start = start_of_part(bytes);
  for (int i = 0; i < PLACE_TRIES; i++) {
    uintptr_t wish = (start + random_bits() % (bytes - size)) & ~(align - 1);
    if (crosses(wish, size, block))
      continue;
    void *got = map_nothing(wish, size);
    if ((uintptr_t)got == wish || !got)
      return got;
    munmap(got, size);
  }
  return NULL;
}

static void *reserve_aligned(size_t size, size_t align) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), slack = align > page ? align - page : 0;
  if (size > SIZE_MAX - slack)
    return NULL;
  /* Valgrind gives low addresses unless asked, where small integers look like pointers into the
   * window. */
  char *start =
      map_nothing(RUNNING_ON_VALGRIND ? (uintptr_t)4 << ACRE_WINDOW_SHIFT : 0, size + slack);
  if (!start)
    return NULL;
  /* mmap cannot align, so more was reserved: the parts outside the aligned range go back. */
  size_t before = (size_t)(-(uintptr_t)start & (align - 1));
  if (before)
    munmap(start, before);
  if (slack > before)
    munmap(start + before + size, slack - before);
  return start + before;
}

void *acre_os_reserve_within(size_t size, size_t align, size_t block) {
  ACRE_ASSERT(!block || (is_power_of_two(block) && block >= size));
  if (!acre_os_request())
    return NULL;
  void *start = reserve_at_random(size, align, block);
  if (!start)
    start = reserve_aligned(size, align);
  if (start && crosses((uintptr_t)start, size, block)) {
    munmap(start, size);
    start = reserve_aligned(size, size);
  }
  return start;
}

void *acre_os_reserve(size_t size, size_t align) {
  ACRE_ASSERT(is_power_of_two(align));
  return acre_os_reserve_within(size, align, 0);
}

/* The tables of at least TABLE_SIZE_MIN bytes, for acre_os_tables.  One for which there is no entry
 * left is missing there, which makes the collector's search longer and not wrong. */
#define TABLE_SIZE_MIN ((size_t)1 << 16)
#define TABLE_MAX 256
static struct table {
  _Atomic uintptr_t start; /* 0: not in use */
  _Atomic size_t size;
} tables[TABLE_MAX];

static void note_table(const void *table, size_t size) {
  for (size_t i = 0; size >= TABLE_SIZE_MIN && i < TABLE_MAX; i++) {
    uintptr_t none = 0;
    if (atomic_compare_exchange_strong(&tables[i].start, &none, (uintptr_t)table)) {
      atomic_store(&tables[i].size, size);
      return;
    }
  }
}

static void forget_table(const void *table, size_t size) {
  for (size_t i = 0; size >= TABLE_SIZE_MIN && i < TABLE_MAX; i++)
    if (atomic_load(&tables[i].start) == (uintptr_t)table) {
      atomic_store(&tables[i].size, 0);
      atomic_store(&tables[i].start, 0);
      return;
    }
}

size_t acre_os_tables(acre_os_range *ranges, size_t most) {
  size_t count = 0;
  for (size_t i = 0; i < TABLE_MAX && count < most; i++) {
    uintptr_t start = atomic_load(&tables[i].start), size = atomic_load(&tables[i].size);
    if (start && size)
      ranges[count++] = (acre_os_range){start, start + size};
  }
  return count;
}

void acre_os_unreserve(void *address, size_t size) {
  forget_table(address, size);
  munmap(address, size);
}

bool acre_os_commit(void *address, size_t size) {
  const acre_os_range all = pages_around(address, size);
  return acre_os_request() &&
         mprotect((void *)all.start, all.end - all.start, PROT_READ | PROT_WRITE) == 0;
}

void acre_os_populate(void *address, size_t size) {
#ifdef MADV_POPULATE_WRITE
  int saved_errno = errno;
  madvise(address, size, MADV_POPULATE_WRITE);
  errno = saved_errno;
#else
  (void)address, (void)size;
#endif
}

static void return_pages(void *address, size_t size) {
  /* The protection stays as it is: changing it per run would split the mapping into more pieces
     than the system allows a process.  MADV_DONTNEED fails for memory that mlockall() has locked,
     which is then mapped anew. */
  if (madvise(address, size, MADV_DONTNEED) == 0)
    return;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(address, size, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
    acre_os_fatal("memory at %p cannot be returned: %s", address, strerrordesc_np(errno));
}

void acre_os_decommit(void *address, size_t size) {
  const acre_os_range whole = pages_within(address, size);
  const uintptr_t start = (uintptr_t)address, end = start + size;
  if (whole.end == whole.start) {
    memset(address, 0, size);
    return;
  }
  if (start < whole.start)
    memset(address, 0, whole.start - start);
  if (whole.end < end)
    memset((void *)whole.end, 0, end - whole.end);
  return_pages((void *)whole.start, whole.end - whole.start);
}

bool acre_os_move(void *from, void *to, size_t size) {
#ifdef MREMAP_DONTUNMAP
  return acre_os_request() &&
         mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) !=
             MAP_FAILED;
#else
  (void)from, (void)to, (void)size;
  return acre_os_request() && false;
#endif
}

void *acre_os_table(size_t size) {
  if (!acre_os_request())
    return NULL;
  void *table =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED)
    return NULL;
  note_table(table, size);
  return table;
}

extern void *__libc_stack_end __attribute__((weak));

uintptr_t acre_os_stack_end(void) { return &__libc_stack_end ? (uintptr_t)__libc_stack_end : 0; }

bool acre_os_is_first_thread(void) { return (pid_t)syscall(SYS_gettid) == getpid(); }

/* Without a search of the library's symbols, which dladdr makes. */
#if defined(__GLIBC__)
#define ACRE_HAS_FIND_OBJECT __GLIBC_PREREQ(2, 35)
#else
#define ACRE_HAS_FIND_OBJECT 0
#endif

acre_os_range acre_os_library(const void *address) {
#if ACRE_HAS_FIND_OBJECT
  struct dl_find_object found;
  if (_dl_find_object((void *)address, &found) == 0)
    return (acre_os_range){(uintptr_t)found.dlfo_map_start, (uintptr_t)found.dlfo_map_end};
#else
  Dl_info found;
  if (dladdr(address, &found))
    return (acre_os_range){(uintptr_t)found.dli_fbase, (uintptr_t)found.dli_fbase};
#endif
  return (acre_os_range){0, 0};
}

/* The kernel reads a set of signals before it looks at what to do with it: EFAULT if it cannot. */
static bool is_readable(uintptr_t word) {
  return syscall(SYS_rt_sigprocmask, -1, word, NULL, sizeof(uint64_t)) != 0 && errno == EINVAL;
}

/* Asks, then reads: another thread may unmap the memory in between.  For processes that have
 * neither process_vm_readv nor a descriptor left: no filter of system calls forbids this one. */
__attribute__((no_sanitize_address)) static bool read_if_readable(const char *address, char *to,
                                                                  size_t size) {
  const uintptr_t least_page = 4096, start = (uintptr_t)address, end = start + size;
  for (uintptr_t at = start & ~(uintptr_t)7; at < end; at = (at & ~(least_page - 1)) + least_page)
    if (!is_readable(at))
      return false;
  for (size_t i = 0; i < size; i++)
    to[i] = ((const volatile char *)address)[i];
  return true;
}

/* Reads through a pipe: write() reports unmapped memory as EFAULT.  For systems that forbid
 * process_vm_readv. */
static bool read_through_pipe(const char *address, char *to, size_t size) {
  enum { CHUNK = 512 }; /* at most PIPE_BUF: never blocks on an empty pipe */
  int ends[2];
  if (pipe(ends) != 0)
    return read_if_readable(address, to, size);
  bool is_read = true;
  while (is_read && size > 0) {
    size_t chunk = size < CHUNK ? size : CHUNK;
    is_read = write(ends[1], address, chunk) == (ssize_t)chunk &&
              read(ends[0], to, chunk) == (ssize_t)chunk;
    address += chunk;
    to += chunk;
    size -= chunk;
  }
  close(ends[0]);
  close(ends[1]);
  return is_read;
}

/* The number of the process, which takes no system call but once in each: the kernel clears where
   it is kept in a child, however that was made. */
static pid_t own_number(void) {
  static pid_t *kept;
  pid_t *place = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);
  if (!place) {
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
      return getpid();
    if (madvise(page, size, MADV_WIPEONFORK) != 0 ||
        !__atomic_compare_exchange_n(&kept, &place, page, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
      munmap(page, size);
      return getpid();
    }
    place = page;
  }
  pid_t number = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (!number) {
    number = getpid();
    __atomic_store_n(place, number, __ATOMIC_RELAXED);
  }
  return number;
}

bool acre_os_read(const void *address, void *to, size_t size) {
  static atomic_bool is_forbidden; /* process_vm_readv, by a security policy or an old kernel */
  int saved_errno = errno;
  bool is_read = false;
  if (!atomic_load_explicit(&is_forbidden, memory_order_relaxed)) {
    struct iovec local = {to, size}, remote = {(void *)address, size};
    ssize_t got = process_vm_readv(own_number(), &local, 1, &remote, 1, 0);
    is_read = got >= 0 && (size_t)got == size;
    if (got < 0 && (errno == ENOSYS || errno == EPERM))
      atomic_store_explicit(&is_forbidden, true, memory_order_relaxed);
  }
  if (!is_read && atomic_load_explicit(&is_forbidden, memory_order_relaxed))
    is_read = read_through_pipe(address, to, size);
  errno = saved_errno;
  return is_read;
}

bool acre_os_read_locked(const void *address, void *to, size_t size) {
  int saved_errno = errno;
  int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  bool is_read = memory >= 0 && pread(memory, to, size, (off_t)(uintptr_t)address) == (ssize_t)size;
  if (memory >= 0)
    close(memory);
  errno = saved_errno;
  return is_read;
}

/* Where process_vm_writev is forbidden, the kernel writes what it reads from a pipe. */
static bool write_through_pipe(void *address, const void *from, size_t size) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  const bool is_written =
      write(ends[1], from, size) == (ssize_t)size && read(ends[0], address, size) == (ssize_t)size;
  close(ends[0]);
  close(ends[1]);
  return is_written;
}

#define WORDS_AT_ONCE 16

/* Writes a few of them, of which the first that cannot be written ends it.  Returns how many. */
static size_t write_some(acre_os_word *words, size_t count) {
  struct iovec local[WORDS_AT_ONCE], remote[WORDS_AT_ONCE];
  count = count < WORDS_AT_ONCE ? count : WORDS_AT_ONCE;
  for (size_t i = 0; i < count; i++) {
    local[i] = (struct iovec){&words[i].value, sizeof words[i].value};
    remote[i] = (struct iovec){(void *)words[i].address, sizeof words[i].value};
  }
  const ssize_t got = process_vm_writev(own_number(), local, count, remote, count, 0);
  if (got < 0 && (errno == ENOSYS || errno == EPERM))
    return write_through_pipe((void *)words->address, &words->value, sizeof words->value);
  return got < 0 ? 0 : (size_t)got / sizeof words->value;
}

void acre_os_write_words(acre_os_word *words, size_t count) {
  int saved_errno = errno;
  for (size_t done = 0; done < count;) {
    const size_t more = write_some(words + done, count - done);
    for (size_t i = 0; i < more; i++)
      words[done + i].is_written = true;
    done += more ? more : 1; /* the first cannot be written */
  }
  errno = saved_errno;
}

/* -- Processor time ---------------------------------------------------------------------------- */

uint64_t acre_os_processor_time(void) {
  struct timespec t;
  int saved_errno = errno;
  bool is_known = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0;
  errno = saved_errno;
  return is_known ? (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec : 0;
}

/* -- Messages ---------------------------------------------------------------------------------- */

typedef struct message {
  int fd;
  size_t used;
  char text[1024];
} message;

static void message_flush(message *m) {
  size_t done = 0;
  while (done < m->used) {
    ssize_t written = write(m->fd, m->text + done, m->used - done);
    if (written < 0 && errno != EINTR)
      break; /* there is nobody to tell */
    if (written > 0)
      done += (size_t)written;
  }
  m->used = 0;
}

static void message_add(message *m, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (m->used == sizeof m->text)
      message_flush(m);
    m->text[m->used++] = text[i];
  }
}

static void message_add_number(message *m, uintmax_t value, unsigned base) {
  char digits[24];
  size_t first = sizeof digits;
  do
    digits[--first] = "0123456789abcdef"[value % base];
  while ((value /= base) != 0);
  message_add(m, digits + first, sizeof digits - first);
}

static void message_add_signed(message *m, intmax_t value) {
  if (value < 0)
    message_add(m, "-", 1);
  message_add_number(m, value < 0 ? -(uintmax_t)value : (uintmax_t)value, 10);
}

typedef enum length { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE, LENGTH_MAX } length;

static length parse_length(const char **format) {
  switch (**format) {
  case 'l':
    if (*++*format != 'l')
      return LENGTH_LONG;
    ++*format;
    return LENGTH_LONG_LONG;
  case 'z':
  case 't':
    ++*format;
    return LENGTH_SIZE;
  case 'j':
    ++*format;
    return LENGTH_MAX;
  default:
    return LENGTH_INT;
  }
}

/* va_list may be an array type, which only a structure carries by reference portably. */
typedef struct arguments {
  va_list list;
} arguments;

static uintmax_t next_unsigned(arguments *a, length l) {
  switch (l) {
  case LENGTH_INT:
    return va_arg(a->list, unsigned);
  case LENGTH_LONG:
    return va_arg(a->list, unsigned long);
  case LENGTH_LONG_LONG:
    return va_arg(a->list, unsigned long long);
  case LENGTH_SIZE:
    return va_arg(a->list, size_t);
  default:
    return va_arg(a->list, uintmax_t);
  }
}

static intmax_t next_signed(arguments *a, length l) {
  switch (l) {
  case LENGTH_INT:
    return va_arg(a->list, int);
  case LENGTH_LONG:
    return va_arg(a->list, long);
  case LENGTH_LONG_LONG:
    return va_arg(a->list, long long);
  case LENGTH_SIZE:
    return va_arg(a->list, ptrdiff_t);
  default:
    return va_arg(a->list, intmax_t);
  }
}

static void message_add_string(message *m, const char *string, size_t limit) {
  if (!string)
    string = "(null)";
  size_t size = 0;
  while (size < limit && string[size])
    size++;
  message_add(m, string, size);
}

/* Formats the directive after '%' and returns what follows it. */
static const char *message_add_directive(message *m, const char *format, arguments *a) {
  size_t limit = SIZE_MAX / 2;
  if (format[0] == '.' && format[1] == '*') {
    int wanted = va_arg(a->list, int);
    limit = wanted < 0 ? limit : (size_t)wanted;
    format += 2;
  }
  length l = parse_length(&format);
  switch (*format) {
  case 's':
    message_add_string(m, va_arg(a->list, const char *), limit);
    break;
  case 'c':
    message_add(m, &(char){(char)va_arg(a->list, int)}, 1);
    break;
  case 'd':
  case 'i':
    message_add_signed(m, next_signed(a, l));
    break;
  case 'u':
    message_add_number(m, next_unsigned(a, l), 10);
    break;
  case 'x':
    message_add_number(m, next_unsigned(a, l), 16);
    break;
  case 'p':
    message_add(m, "0x", 2);
    message_add_number(m, (uintptr_t)va_arg(a->list, void *), 16);
    break;
  case '\0':
    return format;
  default:
    message_add(m, format, 1);
  }
  return format + 1;
}

static void message_format(message *m, const char *format, arguments *a) {
  while (*format) {
    size_t plain = strcspn(format, "%");
    message_add(m, format, plain);
    format += plain;
    if (*format)
      format = message_add_directive(m, format + 1, a);
  }
}

void acre_os_print(int fd, const char *format, ...) {
  int saved_errno = errno;
  message m = {.fd = fd};
  arguments a;
  va_start(a.list, format);
  message_format(&m, format, &a);
  va_end(a.list);
  message_flush(&m);
  errno = saved_errno;
}

void acre_os_fatal(const char *format, ...) {
  message m = {.fd = STDERR_FILENO};
  arguments a;
  va_start(a.list, format);
  message_add_string(&m, "acre: fatal: ", SIZE_MAX / 2);
  message_format(&m, format, &a);
  message_add(&m, "\n", 1);
  va_end(a.list);
  message_flush(&m);
  acre_os_abort();
}

static void message_add_place(message *m, const acre_os_call *call) {
  if (!call->here && !call->file)
    return;
  message_add(m, "  ", 2);
  message_add_string(m, call->what, SIZE_MAX / 2);
  message_add_string(m, " called at ", SIZE_MAX / 2);
  message_add_string(m, call->here ? call->here : call->file, SIZE_MAX / 2);
  if (!call->here) {
    message_add(m, ":", 1);
    message_add_number(m, call->line, 10);
    message_add_string(m, " in ", SIZE_MAX / 2);
    message_add_string(m, call->in, SIZE_MAX / 2);
  }
  message_add(m, "\n", 1);
}

void acre_os_fatal_call(const acre_os_call *call, const char *format, ...) {
  message m = {.fd = STDERR_FILENO};
  arguments a;
  va_start(a.list, format);
  message_add_string(&m, "acre: fatal: ", SIZE_MAX / 2);
  message_add_string(&m, call->what, SIZE_MAX / 2);
  message_add(&m, ": ", 2);
  message_format(&m, format, &a);
  message_add(&m, "\n", 1);
  message_add_place(&m, call);
  va_end(a.list);
  message_flush(&m);
  acre_os_abort();
}

void acre_os_abort(void) {
  if (acre_self.is_in_collected) /* a handler of the program that allocates would wait for the heap
                                    forever */
    signal(SIGABRT, SIG_DFL);
  abort();
}
