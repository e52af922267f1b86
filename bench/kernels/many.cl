/*
 * COUNT constants, a power of two up to 16384, with ids from 0. The kernel computes one number
 * from all of them, so that a wrong value is noticed.
 */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);

#define TAKE_1(id) number = number * 31u + as_uint(__spirv_SpecConstant((id), 1));
#define TAKE_2(id) TAKE_1(id) TAKE_1((id) + 1)
#define TAKE_4(id) TAKE_2(id) TAKE_2((id) + 2)
#define TAKE_8(id) TAKE_4(id) TAKE_4((id) + 4)
#define TAKE_16(id) TAKE_8(id) TAKE_8((id) + 8)
#define TAKE_32(id) TAKE_16(id) TAKE_16((id) + 16)
#define TAKE_64(id) TAKE_32(id) TAKE_32((id) + 32)
#define TAKE_128(id) TAKE_64(id) TAKE_64((id) + 64)
#define TAKE_256(id) TAKE_128(id) TAKE_128((id) + 128)
#define TAKE_512(id) TAKE_256(id) TAKE_256((id) + 256)
#define TAKE_1024(id) TAKE_512(id) TAKE_512((id) + 512)
#define TAKE_2048(id) TAKE_1024(id) TAKE_1024((id) + 1024)
#define TAKE_4096(id) TAKE_2048(id) TAKE_2048((id) + 2048)
#define TAKE_8192(id) TAKE_4096(id) TAKE_4096((id) + 4096)
#define TAKE_16384(id) TAKE_8192(id) TAKE_8192((id) + 8192)
#define TAKE_ALL_OF(count) TAKE_##count(0)
#define TAKE_ALL(count) TAKE_ALL_OF(count)

kernel void many(global uint *out) {
  uint number = 0;
  TAKE_ALL(COUNT)
  *out = number;
}
