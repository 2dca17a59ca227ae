const void *__acre_type(const char *);
const void *site(void) { return __acre_type("TEXT"); }
