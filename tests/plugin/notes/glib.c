// The notes of the installation know the everyday part of GLib: a whole program, and its mistakes.
// REQUIRES: glib
// RUN: %acre-cc -std=gnu17 -Wall -Wextra -Werror -facre-strict=own %s -o %t \
// RUN:   $(pkg-config --cflags --libs glib-2.0)
// RUN: %t | FileCheck %s
// RUN: %acre-cc -fsyntax-only -DWRONG -Xclang -verify -Xclang -verify-ignore-unexpected=note %s \
// RUN:   $(pkg-config --cflags glib-2.0)
#include <acre/own.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

static GKeyFile *unique read_settings(const char *text) {
  GKeyFile *unique file = g_key_file_new();
  GError *unique why = NULL;
  if (!g_key_file_load_from_data(file, text, (gsize)-1, G_KEY_FILE_NONE, &why)) {
    printf("%d\n", why->code);
    g_error_free(why);
    g_key_file_free(file);
    return NULL;
  }
  return file;
}

static char *unique setting(GKeyFile *borrowed file, const char *name) {
  GError *unique why = NULL;
  char *unique value = g_key_file_get_string(file, "main", name, &why);
  if (!value) {
    printf("no %s\n", name);
    g_error_free(why);
  }
  return value;
}

static GHashTable *unique count_words(const char *text) {
  GHashTable *unique counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  char **unique words = g_strsplit(text, " ", -1);
  for (guint i = 0; i < g_strv_length(words); i++) {
    int count = GPOINTER_TO_INT(g_hash_table_lookup(counts, words[i]));
    g_hash_table_insert(counts, g_strdup(words[i]), GINT_TO_POINTER(count + 1));
  }
  g_strfreev(words);
  return counts;
}

static char *unique join(GList *borrowed names) {
  GString *unique text = g_string_new(NULL);
  for (GList *each = names; each; each = each->next)
    g_string_append_printf(text, "%s;", (char *)each->data);
  return g_string_free(text, FALSE);
}

int main(void) {
  GKeyFile *unique wrong = read_settings("no group"); // CHECK: {{[0-9]+}}
  if (wrong)
    g_key_file_free(wrong);
  GKeyFile *unique file = read_settings("[main]\nhome=/root\n");
  if (!file)
    return 1;
  char *unique home = setting(file, "home"), *unique shell = setting(file, "shell");
  if (home && !shell)
    printf("%s\n", home); // CHECK-NEXT: no shell
  g_free(home);           // CHECK-NEXT: /root
  g_free(shell);
  g_key_file_free(file);
  GHashTable *unique counts = count_words("to be or not to be");
  printf("%u\n", g_hash_table_size(counts)); // CHECK-NEXT: 4
  g_hash_table_destroy(counts);
  GList *unique names = NULL;
  names = g_list_append(names, g_strdup("one"));
  names = g_list_prepend(names, g_strdup("two"));
  char *unique joined = join(names);
  printf("%s\n", joined); // CHECK-NEXT: two;one;
  g_free(joined);
  g_list_free_full(names, g_free);
  return 0;
}

#ifdef WRONG
void freed(GHashTable *unique table) {
  free(table); // expected-error {{is ended by g_hash_table_destroy, not by this}}
}
void given_and_freed(GHashTable *borrowed table) {
  char *unique name = g_strdup("name");
  g_hash_table_insert(table, name, NULL);
  g_free(name); // expected-error {{'name' is used after it was consumed}}
}
void list_used_late(GList *unique names) {
  GList *unique more = g_list_append(names, NULL);
  printf("%u\n", g_list_length(names)); // expected-error {{'names' is used after it was consumed}}
  g_list_free(more);
}
void words_half_freed(const char *text) {
  char **unique words = g_strsplit(text, " ", -1);
  g_free(words); // expected-error {{what g_strsplit made is ended by g_strfreev, not by this}}
}
gboolean lost_reason(GKeyFile *borrowed file, const char *name) {
  GError *unique why = NULL;
  if (!g_key_file_load_from_file(file, name, G_KEY_FILE_NONE, &why))
    return FALSE; // expected-warning {{'why' may be lost}}
  return TRUE;
}
void lost_text(GKeyFile *borrowed file) {
  char *unique value = g_key_file_get_string(file, "main", "name", NULL);
  if (value)
    printf("%s\n", value);
} // expected-warning {{'value' may be lost}}
#endif
