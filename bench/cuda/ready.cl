/* Three kernels in one module; ready.cu has the same ones in CUDA C. */
#define run product_run
#include "product.cl"
#undef run
#define run filter_run
#include "filter.cl"
#undef run
#define run map_run
#include "map.cl"
#undef run
