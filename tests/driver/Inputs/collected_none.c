/* Uses all names that the object for collected memory has, too. */
#define _GNU_SOURCE
#include <malloc.h>
#include <mqueue.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

void *const used[] = {free,        realloc,         reallocarray, malloc_usable_size, sigfillset,
                      sigprocmask, pthread_sigmask, timer_create, timer_delete,       mq_notify};
