/* The other module of link_main.cl. The constant has another id here. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
int part(int x);

int part(int x) { return x + __spirv_SpecConstant(9, 1); }
