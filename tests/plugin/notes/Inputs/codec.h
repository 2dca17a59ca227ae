/* SPDX-License-Identifier: MIT */
/* A library that knows nothing of owners; codec.acre beside it says what its functions do. */
#ifndef CODEC_H
#define CODEC_H
#include <stddef.h>
struct codec;
struct codec *codec_open(const char *name);
int codec_make(const char *name, struct codec **result);
int codec_read(struct codec *c, void *buffer, size_t size);
void codec_name(struct codec *c, char *name);
const char *codec_error(struct codec *c);
void codec_visit(struct codec *c, void (*visit)(void *), void *data);
void codec_close(struct codec *c);
void codec_free(int how, struct codec *c);
void codec_unknown(struct codec *c);
char *codec_text(struct codec *c);
void codec_end(void *p);
#endif
