# SPDX-License-Identifier: MIT
"""GNU dbm, ported: the handle of a file, its header, directory, cache and texts, and the buffers of
its dumps are owners.  Where something is grown by realloc, what the structure has is taken out
before and put back if there is no memory.

Left plain: the elements of the cache while they are in its lists, which are doubly linked; the name
of the file, which a pointer to a printer of traces gets everywhere; datum, the public type, which
is passed by value both to give an object and to lend one; the text of GDBM_GETDBNAME and the name
of a backup, which are put into memory of the caller.  The tools, the tests and the load are
compiled without words.
"""

FILES = ()
KINDS = ("src/*.[ch]", "src/*.h.in")

# The functions that are lent the handle while gdbm_fd_open, gdbm_close and gdbm_recover own it: the
# header and the source.
LENT = (
    (
        "src/gdbm.h.in",
        "src/gdbmerrno.c",
        "gdbm_last_syserr gdbm_last_errno gdbm_set_errno gdbm_clear_error",
    ),
    ("src/gdbm.h.in", "src/avail.c", "gdbm_avail_verify"),
    (
        "src/proto.h",
        "src/mmap.c",
        "_gdbm_mapped_unmap _gdbm_mapped_lseek _gdbm_mapped_init "
        "_gdbm_mapped_read _gdbm_mapped_write _gdbm_mapped_sync",
    ),
    ("src/proto.h", "src/lock.c", "_gdbm_unlock_file _gdbm_lock_file"),
    (
        "src/proto.h",
        "src/bucket.c",
        "_gdbm_cache_free _gdbm_cache_init _gdbm_new_bucket _gdbm_cache_flush "
        "_gdbm_write_bucket",
    ),
    ("src/proto.h", "src/fullio.c", "_gdbm_full_write _gdbm_full_read _gdbm_file_extend"),
    ("src/proto.h", "src/gdbmsync.c", "gdbm_file_sync"),
    ("src/proto.h", "src/avail.c", "gdbm_avail_block_validate gdbm_avail_traverse"),
    ("src/proto.h", "src/gdbmopen.c", "_gdbm_file_size"),
    ("src/proto.h", "src/update.c", "_gdbm_fatal"),
    ("src/proto.h", "src/falloc.c", "_gdbm_avail_block_read"),
)
RULES = {
    "src/gdbm.h.in": (
        (r"^(# include <sys/types\.h>)$", r"\1\n# define ACRE_NO_BOOL\n# include <acre/own.h>"),
        ("^(extern GDBM_FILE )(?=gdbm_(?:fd_)?open )", r"\1unique ", 2),
        (r"^(extern int gdbm_close \(GDBM_FILE)\)", r"\1 unique)"),
        (r"\b(gdbm_db_strerror \(GDBM_FILE dbf)", r"\1 __attribute__ ((noescape))"),
        (r"(gdbm_fd_open \(int fd, const char \*)", r"\1borrowed "),
    ),
    "src/gdbmdefs.h": (
        (r"^(  char +\*)(?=dptr;|last_errstr;)", r"\1unique ", 2),
        (r"^(  (?:gdbm_file_header|off_t) \*)(?=header;|dir;)", r"\1unique ", 2),
        (r"^(  cache_elem \*\*)(?=cache;)", r"\1unique "),
    ),
    "src/avail.c": (
        (r"^(  off_t \*)(?=map_base;)", r"\1unique "),
        (r"^(  free \()(map->map_base)", r"\1acre_take (&\2)"),
        (r"^(  void \*)(?=p;)", r"\1unique "),
        (
            r"^(  p = realloc \()(map->map_base)(.*\n  if \(!p\)\n)    (return -1;)",
            r"  off_t *unique old = acre_take (&\2);\n\1old\3    {\n      \2 = old;\n     "
            r" \4\n    }",
        ),
        (r"(\bcb \()blk,", r"\1acre_unowned (blk),"),
        (r"^(gdbm_avail_block_validate \(.*, avail_block \*)", r"\1borrowed "),
        (r"^(  avail_block \*)(?=blk;)", r"\1unique "),
    ),
    "src/proto.h": (
        (r"\b(gdbm_avail_block_validate \(.*, avail_block \*)", r"\1borrowed "),
        (r"^(\t\t\t unsigned char \*)\*(?=output, size_t \*output_size)", r"\1unique *", 2),
        (r"\b(_gdbm_read_entry  \(GDBM_FILE)", r"\1 dbf __attribute__ ((noescape))"),
        (r"\b(_gdbm_full_read \(GDBM_FILE borrowed, void \*)", r"\1 borrowed"),
        (r"\b(_gdbm_full_write \(GDBM_FILE borrowed, void \*)", r"\1 borrowed"),
        (r"\b(_gdbm_mapped_read\t\(GDBM_FILE borrowed, void \*)", r"\1 borrowed"),
        (r"\b(_gdbm_mapped_write\t\(GDBM_FILE borrowed, void \*)", r"\1 borrowed"),
        (r"\b(_gdbm_avail_block_read \(.*, avail_block \*)", r"\1borrowed "),
    ),
    "src/base64.c": (
        (r"^(\t\t     unsigned char \*)\*(?=output, size_t \*output_size)", r"\1unique *", 2),
        (
            r"^(      )out = realloc \(\*output, olen\);\n      if \(!out\)\n\treturn"
            r" (\w+);\n      \*output = out;\n",
            r"\1unsigned char *unique old = acre_take (output);\n\1unsigned char *unique"
            r" new = realloc (old, olen);\n\1if (!new)\n\t{\n\t  *output = old;\n\t  return"
            r" \2;\n\t}\n\1*output = new;\n\1out = *output;\n",
            2,
        ),
    ),
    "src/bucket.c": (
        (
            r"^(      p = )(realloc \()(dbf->cache)(, n\);\n      if \(!p\)\n\t\{\n)",
            r"      cache_elem **unique old = acre_take (&\3);\n      cache_elem **unique"
            r" new = \2old\4\t  \3 = old;\n",
        ),
        (r"^(      cache_elem \*\*unique new = realloc \(old, n\);\n      if \(!)p", r"\1new"),
        ("^(      dbf->cache = )p;", r"\1new;"),
        (r"^(  elp = )(cache_tab_lookup_slot \(dbf, adr\));", r"\1acre_unowned (\2);"),
        (r"^(      elem = )(calloc \(1,\n.*\n.*\n.*)\);", r"\1acre_release (\2));"),
        (r"^(\t  off_t +\*)(?=new_dir;)", r"\1unique "),
        (
            r"^\t  free \(dbf->dir\);\n\t  dbf->dir = new_dir;",
            r"\t  free (acre_swap (&dbf->dir, new_dir));",
        ),
        (r"^(  free \()(dbf->cache)\);\n  dbf->cache = NULL;", r"\1acre_take (&\2));"),
        (r"^(      free \()(elem->ca_data.dptr)", r"\1acre_take (&\2)"),
        (r"^(      free \()elem\)", r"\1(cache_elem *unique) elem)"),
    ),
    "src/findkey.c": (
        (
            r"^(  +return )((?:dbf->cache_mru->ca_data|data_ca->?)\.?>?dptr|data_ca->dptr);",
            r"\1acre_unowned (\2);",
            2,
        ),
        (
            r"^(      char \*)p = realloc \(data_ca->dptr, dsize\);",
            r"\1unique old = acre_take (&data_ca->dptr);\n\1unique p = realloc (old, dsize);",
        ),
        (
            r'^(      else\n\t\{\n)(?=\t  GDBM_SET.*\n\t  _gdbm_fatal \(dbf, _\(\"malloc'
            r' error\"\)\);\n\t  return NULL;\n\t\}\n    \}\n\n  /\* Read)',
            r"\1\t  data_ca->dptr = old;\n",
        ),
        (r"^(  rc = _gdbm_full_read \(dbf, )(data_ca->dptr)", r"\1acre_unowned (\2)"),
        (r"^(\t\*ret_dptr = )(dbf->cache_mru->ca_data.dptr)", r"\1acre_unowned (\2)"),
        (r"^(\t  )(data_ca->dptr) = malloc \(1\);", r"\1free (acre_swap (&\2, malloc (1)));"),
    ),
    "src/gdbmopen.c": (
        (
            r"^      dbf->bucket = (calloc \(1, dbf->header->bucket_size\);\n"
            r"      if \()dbf->bucket",
            r"      hash_bucket *unique bucket = \1bucket",
        ),
        (
            r"^(      _gdbm_new_bucket \(dbf, dbf->bucket, 0\);)",
            r"      dbf->bucket = acre_unowned (bucket);\n\1",
        ),
        (
            r"^(.*error (?:writing (?:header|directory|bucket)|extending file): "
            r".*\n.*\n.*\n.*\n.*SAVE_ERRNO \(gdbm_close \(dbf\))\);",
            r"\1; free (bucket));",
            4,
        ),
        (r"^(      free \()dbf->bucket", r"\1bucket"),
        (
            r"(_gdbm_full_(?:read|write) \(dbf, )(dbf->(?:header|dir))(?= \+ 1,|, dbf)",
            r"\1acre_unowned (\2)",
            4,
        ),
        (r"(gdbm_header_avail \()(dbf->header)", r"\1acre_unowned (\2)", 4),
        (r"^(GDBM_FILE )\n(?=gdbm_(?:fd_)?open )", r"\1unique\n", 2),
        ("^(  GDBM_FILE )(?=dbf;)", r"\1unique "),
        (r"(gdbm_fd_open \(int fd, const char \*)", r"\1borrowed "),
        (r"^(  avail_elem \*)(?=av = NULL;)", r"\1unique "),
    ),
    "src/update.c": (
        (r"(_gdbm_full_write \(dbf, )(dbf->(?:header|dir))(?=, dbf)", r"\1acre_unowned (\2)", 2),
    ),
    "src/recover.c": (
        (r"^(  free \()(dbf->(?:header|dir))", r"\1acre_take (&\2)", 2),
        (r"^(  dbf->(?:header|dir|cache) += )(new_dbf->\w+);", r"\1acre_take (&\2);", 3),
        (
            r"(_gdbm_end_update \(|gdbm_sync \(|gdbm_copy_meta \(|run_recovery \(dbf,"
            " )(new_dbf)",
            r"\1acre_unowned (\2)",
            4,
        ),
        (r"^(  char \*)(?=new_name;)", r"\1unique "),
        ("^(  GDBM_FILE )(?=new_dbf;)", r"\1unique "),
        (r"^(  free \(new_dbf->name\);)", r"\1\n  free (acre_take (&new_dbf->last_errstr));"),
        (r"^(_gdbm_finish_transfer \(GDBM_FILE dbf, GDBM_FILE )", r"\1unique "),
        (r"^(static char \*)\n(?=backup_name)", r"\1unique\n"),
        (r"^( +char \*)(?=buf;|bkname = )", r"\1unique ", 2),
        (r"^(\t +char \*)(?=p = realloc)", r"\1unique "),
        ("^( +rcvr->backup_name = )bkname;", r"\1acre_release (bkname);"),
    ),
    "src/falloc.c": (
        (r"^(  avail_block \*)(?=new_blk;|temp;)", r"\1unique ", 2),
        (r"^(_gdbm_avail_block_read \(.*, avail_block \*)", r"\1borrowed "),
    ),
    "src/fullio.c": (
        (r"^(  char \*)(?=buf;)", r"\1unique "),
        (r"^(_gdbm_full_read \(GDBM_FILE borrowed dbf, void \*)", r"\1borrowed "),
        (r"^(_gdbm_full_write \(GDBM_FILE borrowed dbf, void \*)", r"\1borrowed "),
    ),
    "src/gdbmclose.c": (
        (r"^(gdbm_close \(GDBM_FILE )(?=dbf\))", r"\1unique "),
        (r"^(  free \()(dbf->(?!name)\w+)", r"\1acre_take (&\2)", 2),
    ),
    "src/gdbmerrno.c": (
        (
            r"^(      free \()(dbf->last_errstr)\);\n      dbf->last_errstr = NULL;",
            r"\1acre_take (&\2));",
            2,
        ),
    ),
    "src/gdbmdump.c": (
        (r"^(  unsigned char \*)(?=buffer = NULL;)", r"\1unique "),
        (r"^(print_datum \(.*unsigned char \*)\*", r"\1unique *"),
    ),
    "src/gdbmload.c": (
        (r"^(  (?:unsigned )?char \*)(?=buffer;|linebuf;|header;)", r"\1unique ", 4),
        (r"^(  free \()(file->.*)\);", r"\1acre_take (&\2));", 5),
        (
            r"^([ \t]+)char \*newp = realloc \((file->(?:linebuf|buffer)), s\);\n"
            r"[ \t]+if \(!newp\)\n[ \t]+return GDBM_MALLOC_ERROR;",
            r"\1char *unique old = acre_take (&\2);\n\1char *unique newp = realloc (old,"
            r" s);\n\1if (!newp)\n\1  {\n\1    \2 = old;\n\1    return"
            r" GDBM_MALLOC_ERROR;\n\1  }",
            3,
        ),
        ("^(      p = )(file->linebuf);", r"\1acre_unowned (\2);"),
        ("^(      param = )(file->buffer);", r"\1acre_unowned (\2);"),
        (r"^(  dat->dptr = \(void\*\) )(file->data\[n\].buffer);", r"\1acre_unowned (\2);"),
        (
            r"^(  rc = _gdbm_base64_decode \(\(unsigned char \*\))(file->buffer)",
            r"\1acre_unowned (\2)",
        ),
        (
            r"^(      file->header = )(file->buffer);\n      file->buffer = NULL;\n",
            r"\1acre_take (&\2);\n",
        ),
        (
            r"(getparm \(|_set_gdbm_meta_info \(dbf, |^  param = )(file->header)",
            r"\1acre_unowned (\2)",
            4,
        ),
        ("^(  GDBM_FILE )(?=tmp = NULL;)", r"\1unique "),
        ("^(      dbf = )tmp;", r"\1acre_unowned (tmp);"),
        (r"^(      \*ofp = dbf;\n)", r"\1      acre_release (tmp);\n"),
    ),
    "src/gdbmsync.c": (
        ("^(  GDBM_FILE )(?=dbf;)", r"\1unique "),
    ),
    "src/mmap.c": (
        (r"^(_gdbm_mapped_read \(GDBM_FILE borrowed dbf, void \*)", r"\1borrowed "),
        (r"^(_gdbm_mapped_write \(GDBM_FILE borrowed dbf, void \*)", r"\1borrowed "),
    ),
    "src/gdbmimp.c": (
        (r"^(  char \*)(kbuffer, \*)(?=dbuffer;)", r"\1unique \2unique "),
        (
            "^(  (?:key|data).dptr = |      (?:key|data).dptr = )([kd]buffer);",
            r"\1acre_unowned (\2);",
            2,
        ),
        (
            r"^(\t  )([kd]buffer)( = realloc .*\n\t  if \()\2( == NULL\)\n(?:.*\n){4})",
            r"\1char *unique larger\3larger\4\1\2 = larger;\n",
            2,
        ),
    ),
    "src/gdbmsetopt.c": (
        (r"^(      char \*)(?=p = strdup)", r"\1unique "),
        (r"^(      \*\(char\*\*\) optval = )p;", r"\1acre_release (p);"),
    ),
}


def port(tree):
    for header, source, names in LENT:
        for name in names.split():
            tree.replace(header, rf"\b({name}\s*\(GDBM_FILE)\b", r"\1 borrowed")
            tree.replace(source, rf"^({name} ?\(GDBM_FILE)\b", r"\1 borrowed")
    tree.replace_all(RULES)
