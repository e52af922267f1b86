/* Stands for Intel's OpenCL driver for CPUs, where only its place counts. */
void *clGetExtensionFunctionAddress(const char *name);

void *clGetExtensionFunctionAddress(const char *name) {
  (void)name;
  return 0;
}
