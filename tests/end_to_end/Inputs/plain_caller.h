/* plain_caller.h - a library compiled without Acre. */
void plain_call(void (*callback)(void *context, void *item), void *context, void *item);
/* *slot = NULL, unseen by Acre. */
void plain_clear(void *slot);
