// The notes of the installation know the everyday part of curl: a whole program, and its mistakes.
// REQUIRES: curl
// RUN: %acre-cc -std=gnu17 -Wall -Wextra -Werror -facre-strict=own -fsyntax-only %s
// RUN: %acre-cc -fsyntax-only -DWRONG -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// RUN: %acre-cc -std=gnu17 %s -o %t -lcurl && cd %S && %t file://%s | FileCheck %s
#include <acre/own.h>
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *unique bytes;
  size_t size;
};

static size_t append(char *data, size_t size, size_t count, void *to) {
  struct text *text = to;
  char *unique before = acre_take(&text->bytes);
  char *unique bytes = realloc(before, text->size + size * count + 1);
  if (!bytes) {
    text->bytes = before;
    return 0;
  }
  memcpy(bytes + text->size, data, size * count);
  text->size += size * count;
  bytes[text->size] = '\0';
  text->bytes = bytes;
  return size * count;
}

static CURLcode fetch(const char *url, struct text *borrowed text) {
  CURL *unique curl = curl_easy_init();
  struct curl_slist *unique lines = curl_slist_append(NULL, "Accept: text/plain");
  CURLcode status = CURLE_OUT_OF_MEMORY;
  if (curl && lines) {
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, acre_unowned(lines));
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, acre_unowned(text));
    status = curl_easy_perform(curl);
  }
  curl_slist_free_all(lines);
  curl_easy_cleanup(curl);
  return status;
}

static void print_host(const char *text) {
  CURLU *unique url = curl_url();
  char *unique host = NULL;
  if (url && !curl_url_set(url, CURLUPART_URL, text, 0) &&
      !curl_url_get(url, CURLUPART_HOST, &host, 0))
    printf("%s\n", host);
  curl_free(host);
  curl_url_cleanup(url);
}

int main(int argc, char **argv) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  struct text text = {0};
  CURLcode status = argc > 1 ? fetch(argv[1], &text) : CURLE_OK;
  if (status == CURLE_OK && text.bytes)
    printf("%.24s\n", text.bytes); // CHECK: The notes of the ins
  else
    fprintf(stderr, "%s\n", curl_easy_strerror(status));
  free(acre_take(&text.bytes));
  print_host("https://example.org/x"); // CHECK-NEXT: example.org
  CURL *unique curl = curl_easy_init();
  char *unique escaped = curl_easy_escape(curl, "a b", 0);
  if (escaped)
    printf("%s\n", escaped); // CHECK-NEXT: a%20b
  curl_free(escaped);
  curl_easy_cleanup(curl);
  curl_global_cleanup();
  return status != CURLE_OK;
}

#ifdef WRONG
void freed(CURL *unique other) {
  CURL *unique curl = curl_easy_init();
  free(curl); // expected-error {{what curl_easy_init made is ended by curl_easy_cleanup}}
  curl_easy_cleanup(other);
}
void used_late(void) {
  CURL *unique curl = curl_easy_init();
  curl_easy_cleanup(curl);
  curl_easy_perform(curl); // expected-error {{'curl' is used after it was consumed}}
}
void freed_text(CURL *borrowed curl) {
  char *unique text = curl_easy_escape(curl, "a b", 0);
  free(text); // expected-error {{what curl_easy_escape made is ended by curl_free}}
}
void lines_given(CURL *borrowed curl) {
  struct curl_slist *unique lines = curl_slist_append(NULL, "Accept: text/plain");
  // expected-error@+1 {{borrowed from 'lines' passed here}}
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
  curl_slist_free_all(lines);
}
int lost(const char *url) {
  CURL *unique curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url);
  return curl_easy_perform(curl); // expected-warning {{'curl' may be lost}}
}
#endif
