/* SPDX-License-Identifier: MIT */
/* Libraries that notes speak of: zlib, SQLite, OpenSSL, libxml2. */
#include "../corpus.h"
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sqlite3.h>
#include <zlib.h>

struct store {
  sqlite3 *unique db;
  sqlite3_stmt *unique find;
};

// right
static long unpack(const char *path, FILE *borrowed out) {
  gzFile unique in = gzopen(path, "rb");
  char buffer[4096];
  long sum = 0;
  if (!in) return -1;
  for (int got; (got = gzread(in, buffer, sizeof buffer)) > 0; sum += got)
    fwrite(buffer, 1, (size_t)got, out);
  gzclose(in);
  return sum;
}

// leak: the file, where it is damaged
static int check_file(const char *path) {
  gzFile unique in = gzopen(path, "rb");
  char buffer[512];
  int status;
  if (!in) return -1;
  while (gzread(in, buffer, sizeof buffer) > 0) {}
  gzerror(in, &status);
  if (status != Z_OK) return status;
  return gzclose(in);
}

// wrong: the message ends with the file
static void explain_file(const char *path) {
  gzFile unique in = gzopen(path, "rb");
  int status;
  if (!in) return;
  const char *why = gzerror(in, &status);
  gzclose(in);
  puts(why);
}

// right
static unsigned char *unique packed(const unsigned char *text, size_t size, uLongf *borrowed into) {
  *into = compressBound(size);
  unsigned char *unique out = malloc(*into);
  if (out && compress(out, into, text, size) != Z_OK) free(acre_take(&out));
  return out;
}

// right
static int inflate_into(unsigned char *from, unsigned size, unsigned char *to, unsigned room) {
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return -1;
  stream.next_in = from;
  stream.avail_in = size;
  stream.next_out = to;
  stream.avail_out = room;
  int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return status == Z_STREAM_END ? (int)stream.total_out : -1;
}

// leak: the stream, where the data are damaged
static int inflate_checked(unsigned char *from, unsigned size, unsigned char *to, unsigned room) {
  z_stream stream = {.next_in = from, .avail_in = size};
  if (inflateInit(&stream) != Z_OK) return -1;
  stream.next_out = to;
  stream.avail_out = room;
  if (inflate(&stream, Z_FINISH) != Z_STREAM_END) return -1;
  inflateEnd(&stream);
  return 0;
}

// wrong: the stream is used after its end
static int deflate_late(unsigned char *from, unsigned size, unsigned char *to, unsigned room) {
  z_stream stream = {.next_in = from, .avail_in = size, .next_out = to, .avail_out = room};
  if (deflateInit(&stream, 6) != Z_OK) return -1;
  deflateEnd(&stream);
  return deflate(&stream, Z_FINISH);
}

// right
static int count_rows(sqlite3 *borrowed db, const char *table) {
  char *unique sql = sqlite3_mprintf("SELECT count(*) FROM %w", table);
  sqlite3_stmt *unique statement = NULL;
  int count = -1;
  if (sql && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    count = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_free(sql);
  return count;
}

// leak: the statement, where there is a row
static bool has_row(sqlite3 *borrowed db, const char *sql) {
  sqlite3_stmt *unique statement = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) return false;
  if (sqlite3_step(statement) == SQLITE_ROW) return true;
  sqlite3_finalize(statement);
  return false;
}

// wrong: the text ends with its statement
static void print_row(sqlite3 *borrowed db, const char *sql) {
  sqlite3_stmt *unique statement = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) return;
  const unsigned char *text = NULL;
  if (sqlite3_step(statement) == SQLITE_ROW) text = sqlite3_column_text(statement, 0);
  sqlite3_finalize(statement);
  if (text) puts((const char *)text);
}

// right
static bool store_open(struct store *acre_out s, const char *path) {
  *s = (struct store){0};
  sqlite3 *unique db = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    sqlite3_close(db);
    return false;
  }
  s->db = db;
  return true;
}

// wrong: what SQLite has made is freed by free
static void run_sql(sqlite3 *borrowed db, const char *sql) {
  char *unique why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
    puts(why);
    free(why);
  }
}

// leak: the reason
static bool run_quietly(sqlite3 *borrowed db, const char *sql) {
  char *unique why = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
    puts(why);
    return false;
  }
  return true;
}

// right
static bool digest(const void *text, size_t size, unsigned char *borrowed into) {
  EVP_MD_CTX *unique context = EVP_MD_CTX_new();
  unsigned length = 0;
  if (!context) return false;
  bool done = EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1 &&
              EVP_DigestUpdate(context, text, size) == 1 &&
              EVP_DigestFinal_ex(context, into, &length) == 1;
  EVP_MD_CTX_free(context);
  return done;
}

// leak: the context, where it cannot begin
static bool digest_begun(const void *text, size_t size, unsigned char *borrowed into) {
  EVP_MD_CTX *unique context = EVP_MD_CTX_new();
  if (!context || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) return false;
  EVP_DigestUpdate(context, text, size);
  EVP_DigestFinal_ex(context, into, NULL);
  EVP_MD_CTX_free(context);
  return true;
}

// right
static EVP_PKEY *unique read_key(const char *path) {
  BIO *unique in = BIO_new_file(path, "r");
  if (!in) return NULL;
  EVP_PKEY *unique key = PEM_read_bio_PrivateKey(in, NULL, NULL, NULL);
  BIO_free(in);
  return key;
}

// wrong: the key is used after it was freed
static int bits_of(const char *path) {
  EVP_PKEY *unique key = read_key(path);
  if (!key) return -1;
  EVP_PKEY_free(key);
  return EVP_PKEY_get_bits(key);
}

// right
static int count_children(const char *path, const char *name) {
  xmlDoc *unique doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
  int count = 0;
  if (!doc) return -1;
  const xmlNode *top = xmlDocGetRootElement(doc);
  for (const xmlNode *each = top ? top->children : NULL; each; each = each->next)
    if (each->type == XML_ELEMENT_NODE && strcmp((const char *)each->name, name) == 0) count++;
  xmlFreeDoc(doc);
  return count;
}

// leak: the text of the node
static bool is_titled(const xmlNode *node, const char *title) {
  xmlChar *unique text = xmlGetProp(node, BAD_CAST "title");
  if (!text) return false;
  return strcmp((const char *)text, title) == 0;
}

// wrong: the document is freed twice
static bool is_document(const char *path) {
  xmlDoc *unique doc = xmlReadFile(path, NULL, 0);
  if (!doc) return false;
  bool is = xmlDocGetRootElement(doc) != NULL;
  if (!is) xmlFreeDoc(doc);
  xmlFreeDoc(doc);
  return is;
}
