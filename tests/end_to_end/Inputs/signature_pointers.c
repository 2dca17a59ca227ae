/* The same functions as the test's main file mentions, mentioned again. */
#include "signature_list.h"

typedef struct list *maker(region, struct list *, struct list *);

maker *maker_of_other_file(void) { return list_new; }
