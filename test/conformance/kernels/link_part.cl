/* The function that link_main.cl calls. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
int part(int x);

int part(int x) { return x + __spirv_SpecConstant(101, 2); }
