#include "plain_caller.h"

void plain_call(void (*callback)(void *context, void *item), void *context, void *item) {
  callback(context, item);
}
void plain_clear(void *slot) { *(void **)slot = 0; }
