/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h.
 *
 * A file is believed only if its program headers are those that are mapped: it may have been built
 * anew while the program runs.
 */
#define _GNU_SOURCE
#include "platform/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "platform/kernel.h"

#if UINTPTR_MAX == UINT64_MAX
#define ELF_CLASS ELFCLASS64
#else
#define ELF_CLASS ELFCLASS32
#endif
#define SYMBOL_TYPE(symbol) ((symbol)->st_info & 15)

/* Where an address is: at value in the file's own counting. */
struct search {
  uintptr_t address;
  struct dl_phdr_info found; /* no program headers: in no file */
  ElfW(Addr) value;
  bool is_thread_local;
  acre_symbol *symbol;
};

static bool read_at(int file, size_t offset, void *to, size_t size) {
  ssize_t got;
  do
    got = pread(file, to, size, (off_t)offset);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)size;
}

/* -- The file ---------------------------------------------------------------------------------- */

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  struct search *search = context;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    bool is_thread_local = header->p_type == PT_TLS;
    uintptr_t start = is_thread_local ? (uintptr_t)info->dlpi_tls_data
                                      : (uintptr_t)(info->dlpi_addr + header->p_vaddr);
    if ((header->p_type != PT_LOAD && !is_thread_local) || !start ||
        search->address - start >= header->p_memsz)
      continue;
    search->found = *info;
    search->is_thread_local = is_thread_local;
    /* The value of a thread-local symbol counts from the begin of its segment. */
    search->value = (ElfW(Addr))(search->address - (is_thread_local ? start : info->dlpi_addr));
    return 1;
  }
  return 0;
}

static bool is_what_is_mapped(int file, const ElfW(Ehdr) * header,
                              const struct dl_phdr_info *mapped) {
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELF_CLASS ||
      header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phnum != mapped->dlpi_phnum ||
      header->e_shentsize != sizeof(ElfW(Shdr)))
    return false;
  for (size_t i = 0; i < header->e_phnum; i++) {
    ElfW(Phdr) of_file;
    if (!read_at(file, header->e_phoff + i * sizeof of_file, &of_file, sizeof of_file) ||
        memcmp(&of_file, &mapped->dlpi_phdr[i], sizeof of_file) != 0)
      return false;
  }
  return true;
}

/* -- Its symbols ------------------------------------------------------------------------------- */

static bool is_meant(const struct search *search, const ElfW(Sym) * symbol) {
  unsigned type = SYMBOL_TYPE(symbol);
  bool is_kind = search->is_thread_local ? type == STT_TLS : type == STT_OBJECT || type == STT_FUNC;
  return is_kind && symbol->st_shndx != SHN_UNDEF &&
         search->value - symbol->st_value < symbol->st_size;
}

static bool find_in(int file, const ElfW(Shdr) * table, ElfW(Sym) * found,
                    const struct search *search) {
  ElfW(Sym) batch[64];
  for (size_t at = 0; at < table->sh_size; at += sizeof batch) {
    size_t left = table->sh_size - at, size = left < sizeof batch ? left : sizeof batch;
    if (!read_at(file, table->sh_offset + at, batch, size))
      return false;
    for (size_t i = 0; i < size / sizeof *batch; i++)
      if (is_meant(search, &batch[i])) {
        *found = batch[i];
        return true;
      }
  }
  return false;
}

static bool read_name(int file, const ElfW(Shdr) * names, size_t offset, acre_symbol *symbol) {
  size_t left = offset < names->sh_size ? names->sh_size - offset : 0;
  size_t size = left < sizeof symbol->name - 1 ? left : sizeof symbol->name - 1;
  if (!read_at(file, names->sh_offset + offset, symbol->name, size))
    return false;
  symbol->name[size] = 0;
  return symbol->name[0] != 0;
}

static bool find_by(int file, const ElfW(Ehdr) * header, unsigned kind,
                    const struct search *search) {
  for (size_t i = 0; i < header->e_shnum; i++) {
    ElfW(Shdr) table, names;
    ElfW(Sym) found;
    if (!read_at(file, header->e_shoff + i * sizeof table, &table, sizeof table))
      return false;
    if (table.sh_type != kind || table.sh_link >= header->e_shnum ||
        !read_at(file, header->e_shoff + table.sh_link * sizeof names, &names, sizeof names) ||
        !find_in(file, &table, &found, search))
      continue;
    acre_symbol *symbol = search->symbol;
    symbol->offset = (size_t)(search->value - found.st_value);
    symbol->is_function = SYMBOL_TYPE(&found) == STT_FUNC;
    symbol->is_thread_local = search->is_thread_local;
    return read_name(file, &names, found.st_name, symbol);
  }
  return false;
}

bool acre_symbol_find(uintptr_t address, acre_symbol *symbol) {
  struct search search = {.address = address, .symbol = symbol};
  ElfW(Ehdr) header;
  int saved_errno = errno;
  dl_iterate_phdr(visit_object, &search);
  if (!search.found.dlpi_phnum)
    return false;
  const char *name = search.found.dlpi_name;
  int file = open(name && *name ? name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool is_found =
      file >= 0 && read_at(file, 0, &header, sizeof header) &&
      is_what_is_mapped(file, &header, &search.found) &&
      (find_by(file, &header, SHT_SYMTAB, &search) || find_by(file, &header, SHT_DYNSYM, &search));
  if (file >= 0)
    close(file);
  errno = saved_errno;
  return is_found;
}
