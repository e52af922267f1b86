// The function that own.cl calls.
int of_the_library(void) {
  return 4321;
}
