// RUN: %acre-cc -O0 -ftrivial-auto-var-init=zero %s -o %t && %t
// RUN: %acre-cc -O2 -ftrivial-auto-var-init=zero %s -o %t && %t
// A structure is copied with a part that was never set.  What an earlier call left there would count; with the option it is null.
#include "Inputs/check.h"

struct text {
  size_t length;
  char *start;
};

static NOINLINE void leave_in_frame(char *p) {
  char *volatile left[16];
  for (int i = 0; i < 16; i++)
    left[i] = p;
}

static NOINLINE void find_nothing(struct text *found) { found->length = 0; }

static NOINLINE void copy_what_was_found(struct text *to) {
  struct text found;
  find_nothing(&found);
  *to = found;
}

int main(void) deletes {
  region kept = newregion(), gone = newregion();
  struct text *text = ralloc(kept, struct text);
  leave_in_frame(rstralloc(gone, 8));
  copy_what_was_found(text);
  CHECK_COUNT(gone, 0);
  DELETE_ACCEPTED(gone);
  DELETE_ACCEPTED(kept);
}
