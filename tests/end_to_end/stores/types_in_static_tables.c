// RUN: %each_level -o %t %s
// RUN: %acre-cc -O1 -fwritable-strings %s -o %t && %t
// Descriptors are constants: tables of types of every static kind name the same types as calls do.
#include "../Inputs/check.h"
#include <string.h>

struct leaf {
  int number;
};
struct link {
  struct link *next;
};
struct kind {
  const char *name;
  const acre_site *site;
};

static const acre_site *const types[] = {ACRE_TYPE(struct leaf), [2] = ACRE_TYPE(struct link)};
static struct kind kinds[] = {{"leaf", ACRE_TYPE(struct leaf)},
                              {.site = ACRE_TYPE_OF_SIZE(3 * sizeof(struct link)), .name = "link"}};
static const struct kind *literal = &(struct kind){"link", ACRE_TYPE(struct link)};
static const struct kind *list = (struct kind[]){{"leaf", ACRE_TYPE(struct leaf)}, {0}};

static const acre_site *of_function(int i) {
  static const acre_site *const local[] = {ACRE_TYPE(struct leaf), ACRE_TYPE(void(void))};
  return local[i];
}

static void check_names(const acre_site *site, const char *type, const char *holder) {
  CHECK(strcmp(site->type->name, type) == 0);
  CHECK(strcmp(site->function, holder) == 0);
  CHECK(site->line != 0);
}

int main(int argc, char **argv) {
  (void)argv;
  check_names(types[0], "struct leaf", "types");
  CHECK(!types[1]);
  check_names(types[2], "struct link", "types");
  check_names(kinds[0].site, "struct leaf", "kinds");
  check_names(kinds[1].site, "struct link", "kinds");
  check_names(literal->site, "struct link", "literal");
  check_names(list->site, "struct leaf", "list");
  check_names(of_function(0), "struct leaf", "of_function");
  CHECK(!of_function(1)->type);

  int count = argc;
  check_names(ACRE_TYPE_OF_SIZE(count++ * sizeof(struct link)), "struct link", "main");
  CHECK(count == argc);

  region r = newregion();
  struct link *first = acre_region_alloc(r, sizeof *first, _Alignof(struct link), types[2]);
  first->next = ralloc(r, struct link);
  deleteregion(r);
  return 0;
}
