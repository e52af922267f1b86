/* Calls of printf that the code generator refuses, one for each macro. */
#if defined(MANY)
kernel void prints(float16 a) {
  printf("%v16hlf %v16hlf %d\n", a, a, 1);
}
#elif defined(SHAPE)
kernel void prints(float4 a) {
  printf("%v2hlf\n", a);
}
#elif defined(TYPE)
kernel void prints(float a) {
  printf("%d\n", a);
}
#elif defined(KIND)
kernel void prints(int a) {
  printf("%n\n", a);
}
#elif defined(FEW)
kernel void prints(int a) {
  printf("%d %d\n", a);
}
#endif
