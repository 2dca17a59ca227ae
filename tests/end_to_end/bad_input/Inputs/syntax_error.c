#include <acre/acre.h>
int main(void) { return undeclared; }
