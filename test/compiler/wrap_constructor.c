/* A constructor and a destructor that are linked into the library of wrapped images. */
void wrap_test_event(const char *name);

__attribute__((constructor(101))) static void begin(void) {
  wrap_test_event("constructor");
}

__attribute__((destructor(101))) static void end(void) {
  wrap_test_event("destructor");
}
