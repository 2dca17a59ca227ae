/* SPDX-License-Identifier: MIT */
/* kept_too_long.c - a program that is wrong: a cache keeps a pointer into the request it came with.
 *
 * Under malloc this reads freed memory, on some days.  Under acre-cc the delete is refused, and the
 * message says that the global variable `cache` still points into the region, and where that region
 * was made.
 */
#include <stdio.h>

#include <acre/acre.h>

struct answer {
  char *sameregion text;
};

static struct answer *cache;

static struct answer *compute(region r, const char *question) {
  struct answer *answer = ralloc(r, struct answer);
  answer->text = rstrdup(r, question);
  return answer;
}

int main(void) deletes {
  region request = newregion();
  acre_region_set_name(request, "request");
  cache = compute(request, "What is six times seven?");
  deleteregion(request);
  puts(cache->text);
  return 0;
}
