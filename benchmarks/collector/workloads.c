/* SPDX-License-Identifier: MIT */
/* workloads.c - see workloads.h. */
#include "workloads.h"

#include <string.h>

/* -- Types ------------------------------------------------------------------------------------- */

ARRAY_OF_POINTERS(pointers);

typedef struct node {
  struct node *left, *right, *up;
  uint64_t key;
} node;
TYPE(node, left, 3);

typedef struct record {
  struct record *next;
  char *data;
  uint64_t key, size;
} record;
TYPE(record, next, 2);

static uint64_t state;
static uint64_t any(uint64_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % limit;
}

static void **get_pointers(acre_heap *heap, size_t count) {
  return get(heap, count * sizeof(void *), &pointers_site);
}

/* -- TRANS: recoverable memory, as RVM ("Lightweight Recoverable Virtual Memory", 1993) has it
   -----------------

   A transaction says which ranges of mapped regions it will change: their old values are copied, to
   be restored if it aborts.  A commit writes the new values of all its ranges to the log as one
   record.  When the log is long it is truncated: read back as a whole, sorted by place, and
   applied.  So most of what is allocated is of medium size, and now and then something large is,
   never twice of the same size. */

enum { TRANS_REGIONS = 4, TRANS_REGION = 512 * 1024, TRANS_COUNT = 3600, TRANS_RANGES = 8 };
enum { TRANS_LOG_LEAST = 512 * 1024, TRANS_LOG_MORE = 512 * 1024 };

/* Reads the log back and applies it. */
static void truncate_log(acre_heap *heap, char **regions, record *log, size_t bytes) {
  char *buffer = NULL;
  record *sorted = NULL;
  ACRE_HEAP_FRAME(heap, frame, &log, &buffer, &sorted);
  buffer = get_bytes(heap, bytes);
  for (size_t used = 0; log; used += log->size, log = log->next) {
    memcpy(buffer + used, log->data, log->size);
    record *entry = get(heap, sizeof *entry, &record_site);
    entry->key = log->key;
    entry->size = log->size;
    acre_heap_store(heap, &entry->next, sorted);
    acre_heap_store(heap, &entry->data, buffer + used);
    sorted = entry;
  }
  for (; sorted; sorted = sorted->next)
    memcpy(regions[sorted->key % TRANS_REGIONS], sorted->data, sorted->size);
  acre_heap_pop(heap, &frame);
}

static void trans(acre_heap *heap) {
  char **regions = NULL;
  record *undo = NULL, *made = NULL, *log = NULL;
  ACRE_HEAP_FRAME(heap, frame, &regions, &undo, &made, &log);
  regions = (char **)get_pointers(heap, TRANS_REGIONS);
  for (size_t i = 0; i < TRANS_REGIONS; i++)
    acre_heap_store(heap, &regions[i], get_bytes(heap, TRANS_REGION));
  size_t logged = 0, most = TRANS_LOG_LEAST;
  for (size_t t = 0; t < TRANS_COUNT; t++) {
    size_t changed = 0;
    undo = NULL;
    for (size_t i = 1 + any(TRANS_RANGES); i > 0; i--) {
      made = get(heap, sizeof *made, &record_site);
      made->size = (16u << any(9)) - any(16);
      made->key = any(TRANS_REGION - made->size);
      acre_heap_store(heap, &made->data, get_bytes(heap, made->size));
      memcpy(made->data, regions[t % TRANS_REGIONS] + made->key, made->size);
      acre_heap_store(heap, &made->next, undo);
      undo = made;
      changed += made->size;
    }
    made = get(heap, sizeof *made, &record_site);
    made->key = t;
    made->size = changed;
    acre_heap_store(heap, &made->data, get_bytes(heap, changed));
    acre_heap_store(heap, &made->next, log);
    log = made;
    if ((logged += changed) < most)
      continue;
    truncate_log(heap, regions, log, logged);
    log = NULL;
    logged = 0;
    most = TRANS_LOG_LEAST + any(TRANS_LOG_MORE);
  }
  acre_heap_pop(heap, &frame);
}

/* -- HTTPD: a cache of 65 files, 5 MB, 10 clients
   -------------------------------------------------------------

   The server keeps each file in one piece; the file system below it keeps the blocks that it read,
   of 8 KiB, the last one of a file in fragments of 1 KiB.  So a file is in memory twice, which is
   about what the paper's 9.7 MB alive are. */

enum {
  HTTPD_FILES = 65,
  HTTPD_CLIENTS = 10,
  HTTPD_ROUNDS = 14,
  HTTPD_BLOCK = 8192,
  HTTPD_FRAGMENT = 1024,
  HTTPD_PACKET = 1460
};

static size_t httpd_size(size_t file) { return 500 + file * file * file * 8 / 7; }

static size_t pieces(size_t size, size_t piece) { return (size + piece - 1) / piece; }

/* The file in blocks, as it comes from the disk. */
static void **read_file(acre_heap *heap, size_t size) {
  void **blocks = NULL;
  ACRE_HEAP_FRAME(heap, frame, &blocks);
  blocks = get_pointers(heap, pieces(size, HTTPD_BLOCK));
  for (size_t at = 0; at < size; at += HTTPD_BLOCK) {
    size_t rest = pieces(size - at, HTTPD_FRAGMENT) * HTTPD_FRAGMENT;
    acre_heap_store(heap, &blocks[at / HTTPD_BLOCK],
                    get_bytes(heap, rest < HTTPD_BLOCK ? rest : HTTPD_BLOCK));
  }
  acre_heap_pop(heap, &frame);
  return blocks;
}

static char *copy_of(acre_heap *heap, void **blocks, size_t size) {
  ACRE_HEAP_FRAME(heap, frame, &blocks);
  char *copy = get_bytes(heap, size);
  for (size_t at = 0; at < size; at += HTTPD_BLOCK)
    memcpy(copy + at, blocks[at / HTTPD_BLOCK], size - at < HTTPD_BLOCK ? size - at : HTTPD_BLOCK);
  acre_heap_pop(heap, &frame);
  return copy;
}

static void httpd(acre_heap *heap) {
  void **disk = NULL, **cache = NULL, **clients = NULL, **packets = NULL;
  record *request = NULL;
  ACRE_HEAP_FRAME(heap, frame, &disk, &cache, &clients, &packets, &request);
  disk = get_pointers(heap, HTTPD_FILES);
  cache = get_pointers(heap, HTTPD_FILES);
  clients = get_pointers(heap, HTTPD_CLIENTS);
  for (size_t round = 0; round < HTTPD_ROUNDS; round++)
    for (size_t i = 0; i < HTTPD_FILES * HTTPD_CLIENTS; i++) {
      size_t file = any(HTTPD_FILES), client = i % HTTPD_CLIENTS, size = httpd_size(file);
      if (!cache[file]) {
        acre_heap_store(heap, &disk[file], read_file(heap, size));
        acre_heap_store(heap, &cache[file], copy_of(heap, disk[file], size));
      }
      request = get(heap, sizeof *request, &record_site);
      acre_heap_store(heap, &request->data, get_bytes(heap, 50 + any(300)));
      /* A reply is queued in packets that point into the cached file. */
      size_t count = size / HTTPD_PACKET + 1;
      packets = get_pointers(heap, count);
      for (size_t p = 0; p < count; p++)
        acre_heap_store(heap, &packets[p], (char *)cache[file] + p * HTTPD_PACKET);
      acre_heap_store(heap, &clients[client], packets);
      if (i == 0)
        acre_heap_store(heap, &cache[any(HTTPD_FILES)], NULL);
    }
  acre_heap_pop(heap, &frame);
}

/* -- LFS: a log of segments, with an index that grows ------------------------------------------ */

enum { LFS_WRITES = 7600, LFS_KEPT = 1600, LFS_SEGMENT = 256 * 1024 };

static void lfs(acre_heap *heap) {
  record *index = NULL, *entry = NULL;
  char *segment = NULL;
  size_t used = LFS_SEGMENT;
  void **cache = NULL;
  ACRE_HEAP_FRAME(heap, frame, &index, &entry, &segment, &cache);
  cache = get_pointers(heap, LFS_KEPT);
  for (size_t i = 0; i < LFS_WRITES; i++) {
    size_t size = any(4) ? 512 << any(4) : 9000 + any(20000);
    if (used + size > LFS_SEGMENT) {
      segment = get_bytes(heap, LFS_SEGMENT);
      used = 0;
    }
    char *block = get_bytes(heap, size);
    memset(block, 1, size);
    memcpy(segment + used, block, size);
    used += size;
    /* A cache that is too kind: what is in it stays for long. */
    if (i % 3 == 0)
      acre_heap_store(heap, &cache[any(LFS_KEPT * (i + 1) / LFS_WRITES + 1) % LFS_KEPT], block);
    entry = get(heap, sizeof *entry, &record_site);
    entry->key = i;
    if (i % 4 == 0) {
      acre_heap_store(heap, &entry->next, index);
      index = entry;
    }
  }
  acre_heap_pop(heap, &frame);
}

/* -- BLUR: an image of 2.5 MB; the old pixels of each area are kept for undoing ---------------- */

enum { BLUR_WIDTH = 1000, BLUR_HEIGHT = 850, BLUR_STEPS = 1700, BLUR_UNDO = 24 };

static void blur(acre_heap *heap) {
  uint8_t **rows = NULL;
  void **undo = NULL;
  uint8_t *area = NULL;
  ACRE_HEAP_FRAME(heap, frame, &rows, &undo, &area);
  rows = (uint8_t **)get_pointers(heap, BLUR_HEIGHT);
  undo = get_pointers(heap, BLUR_UNDO);
  for (size_t y = 0; y < BLUR_HEIGHT; y++)
    acre_heap_store(heap, &rows[y], get_bytes(heap, BLUR_WIDTH * 3));
  for (size_t step = 0; step < BLUR_STEPS; step++) {
    size_t width = 40 + any(300), height = 20 + any(150);
    size_t left = any(BLUR_WIDTH - width), top = 1 + any(BLUR_HEIGHT - height - 1);
    area = get_bytes(heap, width * height * 3);
    acre_heap_store(heap, &undo[step % BLUR_UNDO], area);
    for (size_t y = 0; y < height; y++) {
      memcpy(area + y * width * 3, rows[top + y] + left * 3, width * 3);
      uint8_t *row = rows[top + y];
      if (y % 4 == 0) {
        row = get_bytes(heap, BLUR_WIDTH * 3);
        memcpy(row, rows[top + y], BLUR_WIDTH * 3);
        acre_heap_store(heap, &rows[top + y], row);
      }
      for (size_t x = left * 3; x < (left + width) * 3; x += 48)
        row[x] = (uint8_t)((row[x] + rows[top + y - 1][x]) / 2);
    }
  }
  acre_heap_pop(heap, &frame);
}

/* -- M3PP: a pretty printer: tokens and small trees, one procedure at a time ------------------- */

static node *tree(acre_heap *heap, unsigned depth, node *up) {
  node *n = NULL, *child = NULL;
  ACRE_HEAP_FRAME(heap, frame, &n, &child, &up);
  n = get(heap, any(3) ? sizeof *n : sizeof *n + any(5) * 8, any(3) ? &node_site : NULL);
  acre_heap_store(heap, &n->up, up);
  if (any(2))
    get_bytes(heap, 3 + any(20)); /* the token's text */
  if (depth > 0) {
    child = tree(heap, depth - 1, n);
    acre_heap_store(heap, &n->left, child);
    if (any(5)) {
      child = tree(heap, depth - 1, n);
      acre_heap_store(heap, &n->right, child);
    }
  }
  acre_heap_pop(heap, &frame);
  return n;
}

static void m3pp(acre_heap *heap) {
  node *procedure = NULL;
  ACRE_HEAP_FRAME(heap, frame, &procedure);
  for (size_t i = 0; i < 360; i++)
    procedure = tree(heap, 7 + (unsigned)any(3), NULL);
  acre_heap_pop(heap, &frame);
}

/* -- M3: a compiler: trees, symbols and text, most kept to the end ----------------------------- */

static void m3(acre_heap *heap) {
  void **units = NULL, **symbols = NULL;
  node *work = NULL;
  record *symbol = NULL;
  ACRE_HEAP_FRAME(heap, frame, &units, &symbols, &work, &symbol);
  units = get_pointers(heap, 37);
  symbols = get_pointers(heap, 1024);
  for (size_t unit = 0; unit < 37; unit++) {
    acre_heap_store(heap, &units[unit], tree(heap, 11, NULL));
    for (size_t i = 0; i < 60; i++)
      work = tree(heap, 5, NULL);
    for (size_t i = 0; i < 300; i++) {
      symbol = get(heap, sizeof *symbol, &record_site);
      size_t bucket = any(1024);
      acre_heap_store(heap, &symbol->next, symbols[bucket]);
      acre_heap_store(heap, &symbol->data, get_bytes(heap, 4 + any(28)));
      acre_heap_store(heap, &symbols[bucket], symbol);
    }
    get_bytes(heap, 4000 + any(20000)); /* the object file */
  }
  acre_heap_pop(heap, &frame);
}

/* -- CUBE: a toolkit's widgets; vectors, matrices and events of a picture that turns ----------- */

enum { CUBE_FONTS = 16, CUBE_WIDGETS = 1300 };

static void cube(acre_heap *heap) {
  void **scene = NULL, **points = NULL;
  record *widget = NULL;
  char *bitmap = NULL;
  ACRE_HEAP_FRAME(heap, frame, &scene, &points, &widget, &bitmap);
  scene = get_pointers(heap, CUBE_FONTS);
  for (size_t i = 0; i < CUBE_FONTS; i++)
    acre_heap_store(heap, &scene[i], get_bytes(heap, 1000 + any(9000)));
  for (size_t i = 0; i < CUBE_WIDGETS; i++) {
    size_t size = sizeof *widget + (8u << any(6)) + any(64);
    record *above = widget;
    widget = get(heap, size, NULL);
    acre_heap_store(heap, &widget->next, above);
    acre_heap_store(heap, &widget->data, get_bytes(heap, 4 + any(40))); /* its text */
  }
  bitmap = get_bytes(heap, 120 * 1000);
  for (size_t turn = 0; turn < 1900; turn++) {
    points = get_pointers(heap, 8);
    for (size_t i = 0; i < 8; i++)
      acre_heap_store(heap, &points[i], get_bytes(heap, 24));
    get_bytes(heap, 128); /* the matrix */
    for (size_t edge = 0; edge < 12; edge++)
      get(heap, sizeof(record), &record_site);
    if (turn % 16 == 0)
      get_bytes(heap, 16000);
  }
  acre_heap_pop(heap, &frame);
}

/* -- TREES: complete binary trees, one long-lived and many short-lived ones -------------------- */

static node *bottom_up(acre_heap *heap, unsigned depth) {
  node *left = NULL, *right = NULL;
  ACRE_HEAP_FRAME(heap, frame, &left, &right);
  if (depth > 0) {
    left = bottom_up(heap, depth - 1);
    right = bottom_up(heap, depth - 1);
  }
  node *n = get(heap, sizeof *n, &node_site);
  acre_heap_store(heap, &n->left, left);
  acre_heap_store(heap, &n->right, right);
  acre_heap_pop(heap, &frame);
  return n;
}

static void trees(acre_heap *heap) {
  node *lasting = NULL;
  ACRE_HEAP_FRAME(heap, frame, &lasting);
  lasting = bottom_up(heap, 17);
  for (unsigned i = 0; i < 600; i++)
    bottom_up(heap, 10);
  acre_heap_pop(heap, &frame);
}

/* -- All --------------------------------------------------------------------------------------- */

#define RUN(function)                           \
  static void run_##function(acre_heap *heap) { \
    state = UINT64_C(88172645463325252);        \
    function(heap);                             \
  }
RUN(trans)
RUN(httpd)
RUN(lfs)
RUN(blur)
RUN(m3pp)
RUN(m3)
RUN(cube)
RUN(trees)

const workload workloads[] = {
    {"TRANS", "transactions on recoverable memory, with a log that is truncated", run_trans},
    {"HTTPD", "a cache of 65 files with 10 clients", run_httpd},
    {"LFS", "a log of segments with an index that grows", run_lfs},
    {"BLUR", "areas of a 2.5 MB image changed, with the old pixels kept", run_blur},
    {"M3PP", "a pretty printer: small trees", run_m3pp},
    {"M3", "a compiler: trees and symbols kept to the end", run_m3},
    {"CUBE", "widgets, vectors and events of a turning picture", run_cube},
    {"TREES", "complete binary trees, 8 MB of them kept", run_trees},
};
const size_t workload_count = sizeof workloads / sizeof *workloads;
