/* Succeeds where the other unit's memory is collected. */
#include <acre/collected.h>
#include <stdlib.h>

char *take_text(void);

int main(void) {
  char *text = take_text();
  int result = !acre_collected_owns(text);
  free(text);
  return result;
}
