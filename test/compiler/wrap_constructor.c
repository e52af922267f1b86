/* A constructor and a destructor of the library that the wrapped images are linked into. */
void wrap_test_event(const char *name);

__attribute__((constructor(101))) static void begin(void) {
  wrap_test_event("constructor");
}

__attribute__((destructor(101))) static void end(void) {
  wrap_test_event("destructor");
}
