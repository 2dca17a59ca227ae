/* SPDX-License-Identifier: MIT */
/* vdso.c - see vdso.h.  What is read was made by the kernel, and is taken to be well formed. */
#define _GNU_SOURCE
#include "platform/vdso.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "platform/kernel.h"

/* What its dynamic section says, with addresses as they are in this process. */
typedef struct vdso {
  const char *bias; /* to be added to what the file calls an address */
  const ElfW(Sym) * symbols;
  const char *names;
  const uint32_t *hash, *gnu_hash; /* one of these counts the symbols */
} vdso;

static void read_dynamic(vdso *v, const ElfW(Dyn) * entry) {
  for (; entry->d_tag != DT_NULL; entry++) {
    const void *at = v->bias + entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB)
      v->symbols = at;
    else if (entry->d_tag == DT_STRTAB)
      v->names = at;
    else if (entry->d_tag == DT_HASH)
      v->hash = at;
    else if (entry->d_tag == DT_GNU_HASH)
      v->gnu_hash = at;
  }
}

/* The last chain of the table ends with the last symbol. */
static size_t count_of_gnu_hash(const uint32_t *table) {
  uint32_t bucket_count = table[0], first = table[1], last = 0;
  const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table),
                 *chains = buckets + bucket_count;
  for (uint32_t i = 0; i < bucket_count; i++)
    last = buckets[i] > last ? buckets[i] : last;
  while (last >= first && !(chains[last - first] & 1))
    last++;
  return last < first ? 0 : last + 1;
}

static size_t count_symbols(const vdso *v) {
  if (!v->symbols || !v->names)
    return 0;
  return v->hash ? v->hash[1] : v->gnu_hash ? count_of_gnu_hash(v->gnu_hash) : 0;
}

void *acre_vdso_find(const char *name) {
  const char *start = (const char *)getauxval(AT_SYSINFO_EHDR);
  if (!start)
    return NULL;
  const ElfW(Ehdr) *header = (const void *)start;
  const ElfW(Phdr) *parts = (const void *)(start + header->e_phoff);
  const ElfW(Dyn) *dynamic = NULL;
  vdso v = {.bias = NULL};
  for (size_t i = 0; i < header->e_phnum; i++) {
    if (parts[i].p_type == PT_LOAD && !v.bias)
      v.bias = start + parts[i].p_offset - parts[i].p_vaddr;
    else if (parts[i].p_type == PT_DYNAMIC)
      dynamic = (const void *)(start + parts[i].p_offset);
  }
  if (v.bias && dynamic)
    read_dynamic(&v, dynamic);
  for (size_t i = count_symbols(&v); i > 0; i--) {
    const ElfW(Sym) *each = &v.symbols[i - 1];
    if (each->st_shndx != SHN_UNDEF && strcmp(v.names + each->st_name, name) == 0)
      return (void *)(v.bias + each->st_value);
  }
  return NULL;
}
