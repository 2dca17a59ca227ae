/* SPDX-License-Identifier: MIT */
/* jansson-load FILE ROUNDS: reads a document of JSON, changes it, copies it and writes it, and says
 * what came out. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t sum_text(const char *text) {
  size_t sum = 5381;
  while (*text)
    sum = sum * 33 + (unsigned char)*text++;
  return sum;
}

static void write_document(const json_t *document, size_t flags) {
  char *text = json_dumps(document, flags);
  if (!text)
    exit(1);
  printf("%zu %zx\n", strlen(text), sum_text(text));
  free(text);
}

/* Removes, replaces and adds members and elements all over the document. */
static void change(json_t *value, int depth) {
  const char *key;
  json_t *member;
  void *next;
  size_t index;
  if (json_is_object(value)) {
    json_object_foreach_safe(value, next, key, member) {
      if (strlen(key) % 5 == 3)
        json_object_del(value, key);
      else
        change(member, depth + 1);
    }
    json_object_set_new(value, "depth", json_integer(depth));
    json_object_set_new(value, "packed", json_pack("{s:i,s:[s,f,n]}", "a", depth, "b", "text", .5));
  } else if (json_is_array(value)) {
    json_array_foreach(value, index, member) change(member, depth + 1);
    if (json_array_size(value) > 2)
      json_array_remove(value, 1);
    json_array_insert_new(value, 0, json_sprintf("%d elements", (int)json_array_size(value)));
  } else if (json_is_string(value) && json_string_length(value) > 20)
    json_string_set(value, "shorter");
}

static void run(const char *path) {
  json_error_t error;
  json_t *document = json_load_file(path, 0, &error), *copy, *list;
  const char *name;
  int first;
  if (!document) {
    printf("%s: %d\n", error.text, error.line);
    exit(1);
  }
  write_document(document, JSON_INDENT(2));
  copy = json_deep_copy(document);
  if (!json_equal(document, copy))
    exit(1);
  change(copy, 0);
  write_document(copy, JSON_COMPACT | JSON_SORT_KEYS);
  json_object_update(copy, document);
  list = json_object_get(document, "items");
  json_array_extend(json_object_get(copy, "items"), list);
  if (!json_unpack(json_array_get(list, 1), "{s:i,s:s}", "number", &first, "name", &name))
    printf("%d %s\n", first, name);
  json_decref(document);
  write_document(copy, JSON_ENSURE_ASCII);
  json_decref(copy);
}

int main(int count, char **arguments) {
  json_object_seed(1);
  for (int round = 0; count > 2 && round < atoi(arguments[2]); round++)
    run(arguments[1]);
  for (const char *const *bad =
           (const char *const[]){"{\"a\": [1, 2}", "[\"\\ud800\"]", "{\"a\"", 0};
       *bad; bad++) {
    json_error_t error;
    json_t *none = json_loads(*bad, 0, &error);
    printf("%s %s\n", none ? "read" : "refused", error.text);
    json_decref(none);
  }
  return 0;
}
