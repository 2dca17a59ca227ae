const void *__acre_type(const char *);
const void *site(const char *text) { return __acre_type(text); }
