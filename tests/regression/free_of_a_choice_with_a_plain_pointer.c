// What may be fresh or plain could not be freed, though each could.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

char *elsewhere(void);
void parameter(const char *text, char *p, int choice) { free(choice ? strdup(text) : p); }
void result(const char *text, int choice) { free(choice ? strdup(text) : elsewhere()); }
