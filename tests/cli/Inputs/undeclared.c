int wrong(void) { return undeclared; }
