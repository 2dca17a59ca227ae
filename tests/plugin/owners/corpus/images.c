/* SPDX-License-Identifier: MIT */
/* Loaders of images and fonts, entities of a game, mixers of sound: right, wrong and leaking. */
#include "corpus.h"

#include <sys/mman.h>

// right
struct image {
  unsigned width, height, channels;
  uint8_t *unique pixels;
  uint32_t *unique palette;
  char *unique comment;
};
struct chunk {
  char tag[5];
  uint32_t size;
  uint8_t *unique data;
  struct chunk *unique next;
};
struct glyph {
  uint16_t *unique contours;
  struct point {
    int x, y;
  } *unique points;
  unsigned contour_count, point_count;
};
struct font {
  FILE *unique file;
  char *unique family;
  struct glyph *unique *unique glyphs;
  unsigned glyph_count;
  uint16_t *unique map;
  struct kerning *unique kerning;
  struct font *unique fallback;
};
struct kerning {
  unsigned count;
  int16_t *unique values;
};
struct entity {
  struct entity *unique next;
  int id, health;
  char *unique name;
  struct component *unique components;
  struct entity *unique children;
  struct entity *target;
};
struct component {
  struct component *unique next;
  int kind;
  void *unique state;
  int (*update)(int health, void *borrowed state);
  void (*end)(void *unique state);
};
struct world {
  struct entity *unique alive, *unique dying, *unique born;
  struct entity *player;
  struct image *unique *unique textures;
  size_t texture_count;
};
struct sound {
  int16_t *unique samples;
  size_t count, at;
  bool loops;
};
struct mixer {
  struct sound *unique voices[16];
  float *unique mix;
  size_t frames;
  FILE *unique record;
};
uint32_t get32(FILE *borrowed in);
uint16_t get16(FILE *borrowed in);
void image_free(struct image *unique i);
void glyph_free(struct glyph *unique g);
void font_free(struct font *unique f);
void entity_free(struct entity *unique e);
struct sound *unique sound_load(const char *borrowed path);
void sound_free(struct sound *unique s);
void paint(struct image *borrowed to, const struct glyph *borrowed g, int x);

// right
struct image *unique image_load(const char *path) {
  struct image *unique image = NULL;
  uint8_t *unique row = NULL;
  FILE *unique in = fopen(path, "rb");
  if (!in) goto fail;
  if (get32(in) != 0x59a66a95) goto fail;
  image = calloc(1, sizeof *image);
  if (!image) goto fail;
  image->width = get32(in);
  image->height = get32(in);
  if (!image->width || !image->height || image->width > 65535 || image->height > 65535) goto fail;
  image->channels = 3;
  image->pixels = malloc((size_t)image->width * image->height * 3);
  row = malloc((image->width + 3u) & ~3u);
  if (!image->pixels || !row) goto fail;
  if (get32(in) == 8) {
    image->palette = calloc(256, sizeof *image->palette);
    if (!image->palette) goto fail;
    for (int i = 0; i < 256; i++) image->palette[i] = get32(in);
  }
  for (unsigned y = 0; y < image->height; y++) {
    if (fread(row, 1, image->width, in) != image->width) goto fail;
    for (unsigned x = 0; x < image->width; x++)
      image->pixels[3 * ((size_t)y * image->width + x)] = row[x];
  }
  free(row);
  fclose(in);
  return image;
fail:
  free(row);
  if (image) image_free(image);
  if (in) fclose(in);
  return NULL;
}

// leak: the stream, where the image is too large
struct image *unique image_load_small(const char *path) {
  FILE *unique in = fopen(path, "rb");
  if (!in) return NULL;
  struct image *unique image = calloc(1, sizeof *image);
  if (!image) {
    fclose(in);
    return NULL;
  }
  image->width = get32(in);
  image->height = get32(in);
  if (image->width > 1024) {
    image_free(image);
    return NULL;
  }
  image->pixels = malloc((size_t)image->width * image->height);
  fclose(in);
  return image;
}

// wrong: the row is freed in the loop and after it
int image_rows(struct image *borrowed image, FILE *borrowed in) {
  uint8_t *unique row = malloc(image->width);
  if (!row) return -1;
  for (unsigned y = 0; y < image->height; y++) {
    if (fread(row, 1, image->width, in) != image->width) {
      free(row);
      break;
    }
    memcpy(image->pixels + (size_t)y * image->width, row, image->width);
  }
  free(row);
  return 0;
}

// right
struct image *unique image_scale(struct image *unique from, unsigned by) {
  if (by == 1) return from;
  struct image *unique to = calloc(1, sizeof *to);
  if (!to) goto out;
  to->width = from->width / by;
  to->height = from->height / by;
  to->channels = from->channels;
  size_t size = (size_t)to->width * to->height * to->channels;
  if (!(to->pixels = malloc(size))) {
    free(to);
    to = NULL;
    goto out;
  }
  for (size_t i = 0; i < size; i++) to->pixels[i] = from->pixels[i * by];
  to->comment = acre_take(&from->comment);
out:
  image_free(from);
  return to;
}

// wrong: the image is freed and returned where its size stays
struct image *unique image_scale_same(struct image *unique from, unsigned by) {
  struct image *unique to = by == 1 ? NULL : calloc(1, sizeof *to);
  unsigned width = from->width;
  image_free(from);
  if (!to) return from;
  to->width = width / by;
  return to;
}

// right
void image_flip(struct image *borrowed i) {
  size_t row = (size_t)i->width * i->channels;
  uint8_t *unique held = malloc(row);
  if (!held) return;
  for (unsigned y = 0; y < i->height / 2; y++) {
    uint8_t *a = i->pixels + y * row, *b = i->pixels + (i->height - 1 - y) * row;
    memcpy(held, a, row);
    memcpy(a, b, row);
    memcpy(b, held, row);
  }
  free(held);
}

// right
int image_expand_palette(struct image *borrowed i) {
  if (!i->palette) return 0;
  size_t count = (size_t)i->width * i->height;
  uint8_t *unique wide = malloc(count * 3);
  if (!wide) return -1;
  for (size_t n = 0; n < count; n++) {
    uint32_t c = i->palette[i->pixels[n]];
    wide[3 * n] = (uint8_t)(c >> 16);
    wide[3 * n + 1] = (uint8_t)(c >> 8);
    wide[3 * n + 2] = (uint8_t)c;
  }
  free(acre_swap(&i->pixels, wide));
  free(acre_swap(&i->palette, NULL));
  return 1;
}

// leak: the pixels that were there
int image_to_gray(struct image *borrowed i) {
  size_t count = (size_t)i->width * i->height;
  uint8_t *unique gray = malloc(count);
  if (!gray) return -1;
  for (size_t n = 0; n < count; n++) gray[n] = i->pixels[3 * n];
  i->pixels = gray;
  i->channels = 1;
  return 0;
}

// wrong: the pixels that were replaced are read
int image_to_alpha(struct image *borrowed i) {
  size_t count = (size_t)i->width * i->height;
  const uint8_t *old = i->pixels;
  uint8_t *unique wide = calloc(count, 4);
  if (!wide) return -1;
  free(acre_swap(&i->pixels, wide));
  for (size_t n = 0; n < count; n++) i->pixels[4 * n] = old[3 * n];
  return 0;
}

// right
struct chunk *unique chunks_read(FILE *borrowed in) {
  struct chunk *unique first = NULL;
  struct chunk *unique *last = &first;
  for (;;) {
    struct chunk *unique c = calloc(1, sizeof *c);
    if (!c) break;
    c->size = get32(in);
    if (fread(c->tag, 1, 4, in) != 4 || c->size > 1u << 24) {
      free(c);
      break;
    }
    if (c->size) {
      c->data = malloc(c->size);
      if (!c->data || fread(c->data, 1, c->size, in) != c->size) {
        free(acre_take(&c->data));
        free(c);
        break;
      }
    }
    bool end = memcmp(c->tag, "IEND", 4) == 0;
    *last = c;
    last = &(*last)->next;
    if (end) return first;
  }
  acre_drop(first);
  return NULL;
}

// leak: the data of a chunk that is too short
struct chunk *unique chunk_read(FILE *borrowed in) {
  struct chunk *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->size = get32(in);
  c->data = malloc(c->size);
  if (!c->data) {
    free(c);
    return NULL;
  }
  if (fread(c->data, 1, c->size, in) != c->size) {
    free(c);
    return NULL;
  }
  return c;
}

// right
const struct chunk *borrowed chunk_find(const struct chunk *borrowed all,
                                        const char *tag __attribute__((noescape))) {
  while (all && memcmp(all->tag, tag, 4) != 0) all = all->next;
  return all;
}

// right
char *unique chunk_text(struct chunk *unique all) {
  const struct chunk *text = chunk_find(all, "tEXt");
  char *unique copy = text ? strndup((const char *)text->data, text->size) : NULL;
  acre_drop(all);
  return copy;
}

// wrong: the chunk is used after all chunks were dropped
uint32_t chunk_text_size(struct chunk *unique all) {
  const struct chunk *text = chunk_find(all, "tEXt");
  acre_drop(all);
  return text ? text->size : 0;
}

// right
static struct glyph *unique glyph_load(FILE *borrowed in) {
  struct glyph *unique g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->contour_count = get16(in);
  g->contours = calloc(g->contour_count, sizeof *g->contours);
  if (!g->contours) goto fail_contours;
  for (unsigned i = 0; i < g->contour_count; i++) g->contours[i] = get16(in);
  g->point_count = g->contour_count ? g->contours[g->contour_count - 1] + 1u : 0;
  g->points = calloc(g->point_count, sizeof *g->points);
  if (!g->points) goto fail_points;
  for (unsigned i = 0; i < g->point_count; i++) {
    g->points[i].x = get16(in);
    g->points[i].y = get16(in);
    if (ferror(in)) goto fail_read;
  }
  return g;
fail_read:
  free(acre_take(&g->points));
fail_points:
  free(acre_take(&g->contours));
fail_contours:
  free(g);
  return NULL;
}

// right
const struct glyph *borrowed font_glyph(struct font *borrowed f, unsigned index) {
  if (index >= f->glyph_count) return f->fallback ? font_glyph(f->fallback, 0) : NULL;
  if (!f->glyphs[index]) {
    if (fseek(f->file, 64L * index, SEEK_SET) != 0) return NULL;
    f->glyphs[index] = glyph_load(f->file);
  }
  return f->glyphs[index];
}

// leak: a glyph that was loaded before
const struct glyph *borrowed font_glyph_again(struct font *borrowed f, unsigned index) {
  if (index >= f->glyph_count) return NULL;
  f->glyphs[index] = glyph_load(f->file);
  return f->glyphs[index];
}

// right
void font_text(struct font *borrowed f, struct image *borrowed to, const char *text) {
  int x = 0;
  for (; *text; text++) {
    const struct glyph *g = font_glyph(f, f->map[(unsigned char)*text]);
    if (!g) continue;
    paint(to, g, x);
    x += (int)g->point_count;
  }
}

// right
struct font *unique font_open(const char *path, unsigned glyphs) {
  FILE *unique in = fopen(path, "rb");
  struct font *unique f = in ? calloc(1, sizeof *f) : NULL;
  if (!f) {
    if (in) fclose(in);
    return NULL;
  }
  f->file = in;
  f->map = calloc(256, sizeof *f->map);
  f->glyphs = calloc(glyphs, sizeof *f->glyphs);
  f->kerning = calloc(1, sizeof *f->kerning);
  if (!f->map || !f->glyphs || !f->kerning) {
    font_free(f);
    return NULL;
  }
  f->glyph_count = glyphs;
  f->kerning->count = get16(f->file);
  f->kerning->values = calloc(f->kerning->count, sizeof *f->kerning->values);
  if (!f->kerning->values) f->kerning->count = 0;
  return f;
}

// right
void font_close(struct font *unique f) {
  while (f) {
    struct font *unique fallback = acre_take(&f->fallback);
    for (unsigned i = 0; i < f->glyph_count; i++) {
      struct glyph *unique g = acre_take(&f->glyphs[i]);
      if (!g) continue;
      free(acre_take(&g->contours));
      free(acre_take(&g->points));
      free(g);
    }
    if (f->file) fclose(acre_take(&f->file));
    acre_drop(acre_take(&f->kerning));
    free(acre_take(&f->glyphs));
    free(acre_take(&f->map));
    free(acre_take(&f->family));
    free(f);
    f = fallback;
  }
}

// leak: the values of the kerning
void font_close_one(struct font *unique f) {
  if (f->kerning) free(acre_take(&f->kerning));
  font_free(f);
}

// right
struct entity *unique entity_new(int id, const char *name) {
  struct entity *unique e = calloc(1, sizeof *e);
  if (e) {
    e->id = id;
    e->health = 100;
    e->name = strdup(name);
  }
  return e;
}

// right
bool entity_attach(struct entity *borrowed e, int kind, void *unique state,
                   void (*end)(void *unique state)) {
  for (struct component *c = e->components; c; c = c->next) {
    if (c->kind != kind) continue;
    c->end(acre_swap(&c->state, state));
    c->end = end;
    return false;
  }
  struct component *unique c = calloc(1, sizeof *c);
  if (!c) {
    end(state);
    return false;
  }
  c->kind = kind;
  c->state = state;
  c->end = end;
  c->next = acre_take(&e->components);
  e->components = c;
  return true;
}

// leak: the state of a component of that kind
bool entity_attach_over(struct entity *borrowed e, int kind, void *unique state) {
  for (struct component *c = e->components; c; c = c->next) {
    if (c->kind == kind) {
      c->state = state;
      return true;
    }
  }
  free(state);
  return false;
}

// right
void world_step(struct world *borrowed w) {
  struct entity *unique *at = &w->alive;
  while (*at) {
    struct entity *e = *at;
    for (struct component *c = e->components; c; c = c->next)
      e->health = c->update(e->health, c->state);
    if (e->health > 0) {
      at = &e->next;
      continue;
    }
    struct entity *unique dead = acre_take(at);
    *at = acre_take(&dead->next);
    dead->next = acre_take(&w->dying);
    w->dying = dead;
  }
  while (w->born) {
    struct entity *unique young = acre_take(&w->born);
    w->born = acre_take(&young->next);
    young->next = acre_take(&w->alive);
    w->alive = young;
  }
}

// wrong: the entity is looked at after it was freed
int world_reap(struct world *borrowed w) {
  int count = 0;
  for (struct entity *e = w->dying; e; e = e->next) {
    struct entity *unique gone = acre_take(&w->dying);
    w->dying = acre_take(&gone->next);
    entity_free(gone);
    count++;
  }
  return count;
}

// right
void world_bury(struct world *borrowed w) {
  struct entity *unique e = acre_take(&w->dying);
  while (e != NULL) {
    struct entity *unique next = acre_take(&e->next);
    if (e == w->player) w->player = NULL;
    entity_free(e);
    e = next;
  }
}

// right
bool entity_reparent(struct entity *borrowed from, struct entity *borrowed to, int id) {
  struct entity *unique *at = &from->children;
  while (*at && (*at)->id != id) at = &(*at)->next;
  if (!*at) return false;
  struct entity *unique child = acre_take(at);
  *at = acre_take(&child->next);
  child->next = acre_take(&to->children);
  to->children = child;
  return true;
}

// leak: the children after the one that moves
bool entity_reparent_rest(struct entity *borrowed from, struct entity *borrowed to, int id) {
  struct entity *unique *at = &from->children;
  while (*at && (*at)->id != id) at = &(*at)->next;
  if (!*at) return false;
  struct entity *unique child = acre_take(at);
  child->next = acre_take(&to->children);
  to->children = child;
  return true;
}

// right
int mixer_play(struct mixer *borrowed m, const char *path) {
  int free_voice = -1;
  for (int i = 0; i < 16; i++) {
    if (!m->voices[i] || m->voices[i]->at >= m->voices[i]->count) {
      free_voice = i;
      break;
    }
  }
  if (free_voice < 0) return -1;
  struct sound *unique s = sound_load(path);
  if (!s) return -1;
  struct sound *unique done = acre_swap(&m->voices[free_voice], s);
  if (done) sound_free(done);
  return free_voice;
}

// right
int mixer_play_free(struct mixer *borrowed m, struct sound *unique s) {
  for (int i = 0; i < 16; i++) {
    if (m->voices[i]) continue;
    m->voices[i] = s;
    return i;
  }
  sound_free(s);
  return -1;
}

// leak: the sound, where all voices are in use
int mixer_play_or_not(struct mixer *borrowed m, struct sound *unique s) {
  for (int i = 0; i < 16; i++) {
    if (!m->voices[i]) {
      m->voices[i] = s;
      return i;
    }
  }
  return -1;
}

// right
void mixer_run(struct mixer *borrowed m) {
  memset(m->mix, 0, m->frames * sizeof *m->mix);
  for (int i = 0; i < 16; i++) {
    struct sound *s = m->voices[i];
    if (!s) continue;
    for (size_t f = 0; f < m->frames && s->at < s->count; f++)
      m->mix[f] += (float)s->samples[s->at++];
    if (s->at < s->count) continue;
    if (s->loops)
      s->at = 0;
    else
      sound_free(acre_take(&m->voices[i]));
  }
  if (m->record) fwrite(m->mix, sizeof *m->mix, m->frames, m->record);
}

// wrong: the sound goes on after it was freed
void mixer_stop(struct mixer *borrowed m, int voice) {
  struct sound *s = m->voices[voice];
  if (!s) return;
  if (!s->loops) sound_free(acre_take(&m->voices[voice]));
  s->at = 0;
}

// right
bool mixer_resize(struct mixer *borrowed m, size_t frames) {
  if (frames <= m->frames) return true;
  free(acre_take(&m->mix));
  m->mix = calloc(frames, sizeof *m->mix);
  m->frames = m->mix ? frames : 0;
  return m->mix != NULL;
}

// right
struct mixer *unique mixer_open(const char *record) {
  struct mixer *unique m = calloc(1, sizeof *m);
  if (!m || !mixer_resize(m, 512)) {
    free(m);
    return NULL;
  }
  if (record && !(m->record = fopen(record, "wb"))) {
    free(acre_take(&m->mix));
    free(m);
    return NULL;
  }
  return m;
}
