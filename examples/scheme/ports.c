/* SPDX-License-Identifier: MIT */
/* ports.c - input, output, and files. */
#include "ports.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "primitives.h"
#include "reader.h"
#include "text.h"

enum { FILES_MAX = 64, FILE_STANDARD_OUTPUT = 0, FILE_STANDARD_ERROR = 1, FILES_STANDARD = 2 };

static struct {
  FILE *file;
  bool is_found;
} files[FILES_MAX];

static struct object *make_port(struct machine *m, enum port_type type, struct object *text,
                                int64_t file) {
  struct slots *port = make_slots(m, KIND_PORT, PORT_SLOTS, NULL);
  port->items[PORT_TYPE] = make_integer(m, type);
  port->items[PORT_TEXT] = text;
  port->items[PORT_PLACE] = make_integer(m, 0);
  port->items[PORT_FILE] = make_integer(m, file);
  return &port->head;
}

static enum port_type type_of(struct object *port) {
  return (enum port_type)integer_of(slot(port, PORT_TYPE));
}

void ports_fill(struct machine *m) {
  files[FILE_STANDARD_OUTPUT].file = stdout;
  files[FILE_STANDARD_ERROR].file = stderr;
  m->input = make_port(m, PORT_STANDARD_INPUT, &make_string(m, 0)->head, 0);
  m->output = make_port(m, PORT_OUTPUT_FILE, NULL, FILE_STANDARD_OUTPUT);
}

void ports_found(const struct object *port) {
  const struct slots *slots = (const struct slots *)port;
  if (integer_of(slots->items[PORT_TYPE]) == PORT_OUTPUT_FILE)
    files[integer_of(slots->items[PORT_FILE])].is_found = true;
}

void ports_sweep(void) {
  for (size_t i = 0; i < FILES_MAX; i++) {
    if (i >= FILES_STANDARD && files[i].file && !files[i].is_found) {
      fclose(files[i].file);
      files[i].file = NULL;
    }
    files[i].is_found = false;
  }
}

static bool is_output(enum port_type type) {
  return type == PORT_OUTPUT_STRING || type == PORT_OUTPUT_FILE;
}

/* The port that an optional argument names, or the current one; null: a failure. */
static struct object *port_argument(struct machine *m, const char *name,
                                    struct object *sameregion *arguments, unsigned count,
                                    unsigned index, bool is_for_output) {
  struct object *port = count > index ? arguments[index] : is_for_output ? m->output : m->input;
  if (!is_kind(port, KIND_PORT) || type_of(port) == PORT_CLOSED ||
      is_output(type_of(port)) != is_for_output)
    return fail_type(m, name, is_for_output ? "an open output port" : "an open input port", port);
  return port;
}

/* -- Output ------------------------------------------------------------------------------------ */

static void add_to_string(struct machine *m, struct object *port, const struct string *added) {
  struct string *text = as_string(slot(port, PORT_TEXT));
  size_t used = (size_t)integer_of(slot(port, PORT_PLACE));
  if (text->length - used < added->length) {
    struct string *larger = make_string(m, 2 * text->length + added->length);
    memcpy(larger->characters, text->characters, used * sizeof(uint32_t));
    as_slots(port)->items[PORT_TEXT] = &larger->head;
    text = larger;
  }
  memcpy(text->characters + used, added->characters, added->length * sizeof(uint32_t));
  as_slots(port)->items[PORT_PLACE] = make_integer(m, (int64_t)(used + added->length));
}

static struct object *write_buffer(struct machine *m, struct object *port,
                                   const struct buffer *buffer) {
  if (type_of(port) == PORT_OUTPUT_STRING) {
    add_to_string(m, port, as_string(buffer_string(m, buffer)));
    return m->unspecified;
  }
  FILE *file = files[integer_of(slot(port, PORT_FILE))].file;
  buffer_write(buffer, file);
  if (ferror(file))
    return fail_with(m, make_message(m, "output cannot be written"), m->nil, "file-error");
  return m->unspecified;
}

static struct object *print_to(struct machine *m, const char *name,
                               struct object *sameregion *arguments, unsigned count,
                               bool is_for_people) {
  struct buffer buffer = {0};
  struct object *port = port_argument(m, name, arguments, count, 1, true);
  if (!port)
    return NULL;
  print_value(&buffer, arguments[0], is_for_people);
  struct object *result = write_buffer(m, port, &buffer);
  buffer_free(&buffer);
  return result;
}

static struct object *display(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  return print_to(m, "display", arguments, count, true);
}

static struct object *write_datum(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  return print_to(m, "write", arguments, count, false);
}

static struct object *write_string(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  if (!is_string(arguments[0]))
    return fail_type(m, "write-string", "a string", arguments[0]);
  return print_to(m, "write-string", arguments, count, true);
}

static struct object *write_char(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  if (!is_kind(arguments[0], KIND_CHARACTER))
    return fail_type(m, "write-char", "a character", arguments[0]);
  return print_to(m, "write-char", arguments, count, true);
}

static struct object *newline(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  struct object *port = port_argument(m, "newline", arguments, count, 0, true);
  if (!port)
    return NULL;
  struct buffer buffer = {0};
  buffer_add(&buffer, "\n", 1);
  struct object *result = write_buffer(m, port, &buffer);
  buffer_free(&buffer);
  return result;
}

static struct object *flush(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  struct object *port = port_argument(m, "flush-output-port", arguments, count, 0, true);
  if (!port)
    return NULL;
  if (type_of(port) == PORT_OUTPUT_FILE)
    fflush(files[integer_of(slot(port, PORT_FILE))].file);
  return m->unspecified;
}

static struct object *open_output_string(struct machine *m, struct object *sameregion *arguments,
                                         unsigned count) {
  (void)arguments, (void)count;
  return make_port(m, PORT_OUTPUT_STRING, &make_string(m, 16)->head, 0);
}

static struct object *get_output_string(struct machine *m, struct object *sameregion *arguments,
                                        unsigned count) {
  (void)count;
  if (!is_kind(arguments[0], KIND_PORT) || type_of(arguments[0]) != PORT_OUTPUT_STRING)
    return fail_type(m, "get-output-string", "a port of open-output-string", arguments[0]);
  struct string *copy = make_string(m, (size_t)integer_of(slot(arguments[0], PORT_PLACE)));
  memcpy(copy->characters, as_string(slot(arguments[0], PORT_TEXT))->characters,
         copy->length * sizeof(uint32_t));
  return &copy->head;
}

/* -- Input ------------------------------------------------------------------------------------- */

static struct object *no_file(struct machine *m, const char *name, struct object *path) {
  struct object *irritants =
      make_pair(m, path, make_pair(m, make_message(m, strerror(errno)), m->nil));
  char message[80];
  snprintf(message, sizeof message, "%s: the file cannot be opened:", name);
  return fail_with(m, make_message(m, message), irritants, "file-error");
}

static char *unique path_of(struct machine *m, const char *name, struct object *o) {
  size_t length;
  if (!is_string(o)) {
    fail_type(m, name, "a string", o);
    return NULL;
  }
  char *unique path = string_utf8(as_string(o), &length);
  if (!path)
    machine_die("out of memory");
  return path;
}

static struct object *open_input_file(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  char *unique path = path_of(m, "open-input-file", arguments[0]);
  if (!path)
    return NULL;
  struct source *unique source = source_of_file(path);
  free(path);
  if (!source)
    return no_file(m, "open-input-file", arguments[0]);
  struct object *text = make_text(m, source->text, source->length);
  source_free(source);
  return make_port(m, PORT_INPUT, text, 0);
}

static struct object *open_input_string(struct machine *m, struct object *sameregion *arguments,
                                        unsigned count) {
  (void)count;
  if (!is_string(arguments[0]))
    return fail_type(m, "open-input-string", "a string", arguments[0]);
  return make_port(m, PORT_INPUT, arguments[0], 0);
}

static struct object *open_output_file(struct machine *m, struct object *sameregion *arguments,
                                       unsigned count) {
  (void)count;
  size_t number = FILES_STANDARD;
  while (number < FILES_MAX && files[number].file)
    number++;
  if (number == FILES_MAX)
    return fail_with(m, make_message(m, "open-output-file: too many files are open"), m->nil,
                     "file-error");
  char *unique path = path_of(m, "open-output-file", arguments[0]);
  if (!path)
    return NULL;
  files[number].file = fopen(path, "wb");
  free(path);
  return files[number].file ? make_port(m, PORT_OUTPUT_FILE, NULL, (int64_t)number)
                            : no_file(m, "open-output-file", arguments[0]);
}

static struct object *close_port(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)count;
  if (!is_kind(arguments[0], KIND_PORT))
    return fail_type(m, "close-port", "a port", arguments[0]);
  if (type_of(arguments[0]) == PORT_OUTPUT_FILE &&
      integer_of(slot(arguments[0], PORT_FILE)) >= FILES_STANDARD) {
    size_t number = (size_t)integer_of(slot(arguments[0], PORT_FILE));
    int failed = fclose(files[number].file);
    files[number].file = NULL;
    as_slots(arguments[0])->items[PORT_TYPE] = make_integer(m, PORT_CLOSED);
    if (failed)
      return fail_with(m, make_message(m, "close-port: the file cannot be written"), m->nil,
                       "file-error");
  } else if (type_of(arguments[0]) == PORT_INPUT) {
    as_slots(arguments[0])->items[PORT_TYPE] = make_integer(m, PORT_CLOSED);
  }
  return m->unspecified;
}

/* Whether there is a character; standard input gets another line. */
static bool has_more(struct machine *m, struct object *port) {
  if ((size_t)integer_of(slot(port, PORT_PLACE)) < as_string(slot(port, PORT_TEXT))->length)
    return true;
  if (type_of(port) != PORT_STANDARD_INPUT)
    return false;
  char *line = NULL;
  size_t size = 0;
  fflush(stdout);
  ssize_t length = getline(&line, &size, stdin);
  if (length > 0) {
    as_slots(port)->items[PORT_TEXT] = make_text(m, line, (size_t)length);
    as_slots(port)->items[PORT_PLACE] = make_integer(m, 0);
  }
  free(line);
  return length > 0;
}

static uint32_t character_at(struct object *port) {
  return as_string(slot(port, PORT_TEXT))->characters[integer_of(slot(port, PORT_PLACE))];
}

static void advance(struct machine *m, struct object *port, size_t count) {
  as_slots(port)->items[PORT_PLACE] =
      make_integer(m, integer_of(slot(port, PORT_PLACE)) + (int64_t)count);
}

static struct object *peek_char(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  struct object *port = port_argument(m, "peek-char", arguments, count, 0, false);
  if (!port)
    return NULL;
  return has_more(m, port) ? make_character(m, character_at(port)) : m->eof;
}

static struct object *read_char(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  struct object *port = port_argument(m, "read-char", arguments, count, 0, false);
  if (!port)
    return NULL;
  if (!has_more(m, port))
    return m->eof;
  struct object *character = make_character(m, character_at(port));
  advance(m, port, 1);
  return character;
}

/* Characters of the port's string from its place, which goes past them. */
static struct object *take(struct machine *m, struct object *port, size_t count) {
  struct string *taken = make_string(m, count);
  memcpy(taken->characters,
         as_string(slot(port, PORT_TEXT))->characters + integer_of(slot(port, PORT_PLACE)),
         count * sizeof(uint32_t));
  advance(m, port, count);
  return &taken->head;
}

static struct object *read_line(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  struct object *port = port_argument(m, "read-line", arguments, count, 0, false);
  if (!port)
    return NULL;
  if (!has_more(m, port))
    return m->eof;
  const struct string *text = as_string(slot(port, PORT_TEXT));
  size_t begin = (size_t)integer_of(slot(port, PORT_PLACE)), end = begin;
  while (end < text->length && text->characters[end] != '\n')
    end++;
  bool has_newline = end < text->length;
  struct object *line = take(m, port, end - begin);
  advance(m, port, has_newline);
  return line;
}

static struct object *read_string(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  if (!is_index(m, "read-string", arguments[0], 0, INT64_MAX))
    return NULL;
  struct object *port = port_argument(m, "read-string", arguments, count, 1, false);
  if (!port)
    return NULL;
  if (!has_more(m, port))
    return m->eof;
  size_t left =
      as_string(slot(port, PORT_TEXT))->length - (size_t)integer_of(slot(port, PORT_PLACE));
  size_t wanted = (size_t)integer_of(arguments[0]);
  return take(m, port, wanted < left ? wanted : left);
}

/* The rest of the port's string as a source. */
static struct source *unique source_of_port(struct object *port) {
  struct buffer buffer = {0};
  const struct string *text = as_string(slot(port, PORT_TEXT));
  for (size_t i = (size_t)integer_of(slot(port, PORT_PLACE)); i < text->length; i++)
    buffer_add_character(&buffer, text->characters[i]);
  struct source *unique source = source_of_buffer(&buffer);
  buffer_free(&buffer);
  if (!source || buffer.is_cut)
    machine_die("out of memory");
  return source;
}

/* Adds a line of standard input to what the port has. */
static bool has_another_line(struct machine *m, struct object *port) {
  struct object *begin = slot(port, PORT_TEXT);
  int64_t place = integer_of(slot(port, PORT_PLACE));
  if (type_of(port) != PORT_STANDARD_INPUT)
    return false;
  as_slots(port)->items[PORT_PLACE] = make_integer(m, (int64_t)as_string(begin)->length);
  bool is_there = has_more(m, port);
  if (is_there) {
    const struct string *first = as_string(begin), *second = as_string(slot(port, PORT_TEXT));
    struct string *both = make_string(m, first->length + second->length);
    memcpy(both->characters, first->characters, first->length * sizeof(uint32_t));
    memcpy(both->characters + first->length, second->characters, second->length * sizeof(uint32_t));
    as_slots(port)->items[PORT_TEXT] = &both->head;
  }
  as_slots(port)->items[PORT_PLACE] = make_integer(m, place);
  return is_there;
}

static struct object *read_from(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  struct object *port = port_argument(m, "read", arguments, count, 0, false);
  if (!port)
    return NULL;
  for (;;) {
    struct source *unique source = source_of_port(port);
    struct object *datum = read_datum(m, source);
    size_t used = 0;
    for (size_t place = 0; place < source->place; used++)
      utf8_next(source->text, source->length, &place);
    bool is_incomplete = source->is_incomplete || (datum && is_kind(datum, KIND_EOF));
    source_free(source);
    if (is_incomplete && has_another_line(m, port))
      continue;
    if (datum)
      advance(m, port, used);
    return datum;
  }
}

/* (%read-file path): a list of its data */
static struct object *read_file(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  char *unique path = path_of(m, "load", arguments[0]);
  if (!path)
    return NULL;
  struct source *unique source = source_of_file(path);
  free(path);
  if (!source)
    return no_file(m, "load", arguments[0]);
  struct string *file = m->file;
  m->file = as_string(arguments[0]);
  m->caller = NULL;
  struct object *list = m->nil, *result = m->nil, *datum = read_datum(m, source);
  for (; datum && !is_kind(datum, KIND_EOF); datum = read_datum(m, source))
    list = make_pair(m, datum, list);
  source_free(source);
  if (!datum)
    return NULL;
  m->file = file;
  for (; is_pair(list); list = cdr(list))
    result = make_pair(m, car(list), result);
  return result;
}

/* -- Questions --------------------------------------------------------------------------------- */

static struct object *is_input_port(struct machine *m, struct object *sameregion *arguments,
                                    unsigned count) {
  (void)count;
  return make_boolean(m, is_kind(arguments[0], KIND_PORT) &&
                             type_of(arguments[0]) <= PORT_STANDARD_INPUT);
}

static struct object *is_output_port(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  (void)count;
  return make_boolean(m, is_kind(arguments[0], KIND_PORT) && is_output(type_of(arguments[0])));
}

static struct object *current_input(struct machine *m, struct object *sameregion *arguments,
                                    unsigned count) {
  (void)arguments, (void)count;
  return m->input;
}

/* (current-output-port [port]): with an argument, it is the current one from now on */
static struct object *current_output(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  if (count && !port_argument(m, "current-output-port", arguments, count, 0, true))
    return NULL;
  if (count)
    m->output = arguments[0];
  return m->output;
}

static struct object *error_port(struct machine *m, struct object *sameregion *arguments,
                                 unsigned count) {
  (void)arguments, (void)count;
  return make_port(m, PORT_OUTPUT_FILE, NULL, FILE_STANDARD_ERROR);
}

static struct object *does_file_exist(struct machine *m, struct object *sameregion *arguments,
                                      unsigned count) {
  (void)count;
  char *unique path = path_of(m, "file-exists?", arguments[0]);
  if (!path)
    return NULL;
  FILE *file = fopen(path, "rb");
  free(path);
  if (file)
    fclose(file);
  return make_boolean(m, file != NULL);
}

static struct object *delete_file(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  (void)count;
  char *unique path = path_of(m, "delete-file", arguments[0]);
  if (!path)
    return NULL;
  int failed = unlink(path);
  free(path);
  return failed ? no_file(m, "delete-file", arguments[0]) : m->unspecified;
}

const struct primitive primitives_ports[] = {{"display", display, 1, 2},
                                             {"write", write_datum, 1, 2},
                                             {"write-simple", write_datum, 1, 2},
                                             {"write-shared", write_datum, 1, 2},
                                             {"write-string", write_string, 1, 2},
                                             {"write-char", write_char, 1, 2},
                                             {"newline", newline, 0, 1},
                                             {"flush-output-port", flush, 0, 1},
                                             {"open-output-string", open_output_string, 0, 0},
                                             {"get-output-string", get_output_string, 1, 1},
                                             {"open-input-file", open_input_file, 1, 1},
                                             {"open-input-string", open_input_string, 1, 1},
                                             {"open-output-file", open_output_file, 1, 1},
                                             {"close-port", close_port, 1, 1},
                                             {"close-input-port", close_port, 1, 1},
                                             {"close-output-port", close_port, 1, 1},
                                             {"peek-char", peek_char, 0, 1},
                                             {"read-char", read_char, 0, 1},
                                             {"read-line", read_line, 0, 1},
                                             {"read-string", read_string, 1, 2},
                                             {"read", read_from, 0, 1},
                                             {"%read-file", read_file, 1, 1},
                                             {"input-port?", is_input_port, 1, 1},
                                             {"output-port?", is_output_port, 1, 1},
                                             {"current-input-port", current_input, 0, 0},
                                             {"current-output-port", current_output, 0, 1},
                                             {"current-error-port", error_port, 0, 0},
                                             {"file-exists?", does_file_exist, 1, 1},
                                             {"delete-file", delete_file, 1, 1},
                                             {NULL, NULL, 0, 0}};
