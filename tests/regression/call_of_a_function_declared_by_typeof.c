// The compiler crashed on a call by a name whose declaration is written with typeof, because that
// has no parameters that could be shown.
// RUN: %acre-cc -fsyntax-only %s
// RUN: not %acre-cc -fsyntax-only -DWRONG %s 2>&1 | FileCheck %s
#include <acre/acre.h>

typedef void call(void *);
typedef void (*handler)(void *context, const char *text, ...);

handler *place(void);
extern __typeof(place) place __attribute__((visibility("hidden")));

struct callbacks {
  __typeof__(call) *first;
  __typeof__(handler) second;
};

void through_typeof(struct callbacks *of, __typeof__(call) *last, void *context) {
  of->first(context);
  of->second(context, "text %d", 1);
  last(context);
  (*place())(context, "text %d", 1);
}

#ifdef WRONG
typedef void ends(void *) deletes;
void through_typeof_of_deletes(__typeof__(ends) *last, void *context) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: {{.*}}deletes
  last(context);
}
#endif
