const char *site(void) { return "\1acre.type:" "TEXT"; }
