/* .f32 and .f64. This file is compiled with -frounding-math. */
#include "ptx_exec.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static float to_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof(value));
  return value;
}

static uint64_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double to_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static int direction(uint8_t round) {
  switch (round) {
  case PTX_M_ROUND_RZ:
    return FE_TOWARDZERO;
  case PTX_M_ROUND_RM:
    return FE_DOWNWARD;
  case PTX_M_ROUND_RP:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

static float flush_subnormal(const ptx_insn *insn, float value) {
  return (insn->flags & PTX_FLAG_FTZ) && fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value)
                                                                           : value;
}

/* Computes an operation that is rounded exactly, in the current rounding mode. */
static float exact_float(uint16_t op, float a, float b, float c) {
  switch (op) {
  case PTX_OP_ADD_F:
    return a + b;
  case PTX_OP_SUB_F:
    return a - b;
  case PTX_OP_MUL_F:
    return a * b;
  case PTX_OP_DIV_F:
    return a / b;
  case PTX_OP_RCP:
    return 1 / a;
  case PTX_OP_SQRT:
    return sqrtf(a);
  default:
    return fmaf(a, b, c);
  }
}

static double exact_double(uint16_t op, double a, double b, double c) {
  switch (op) {
  case PTX_OP_ADD_F:
    return a + b;
  case PTX_OP_SUB_F:
    return a - b;
  case PTX_OP_MUL_F:
    return a * b;
  case PTX_OP_DIV_F:
    return a / b;
  case PTX_OP_RCP:
    return 1 / a;
  case PTX_OP_SQRT:
    return sqrt(a);
  default:
    return fma(a, b, c);
  }
}

/* Computes with the instruction's rounding. volatile keeps the operation between the mode changes.
 */
static float rounded_float(const ptx_insn *insn, float a, float b, float c) {
  if (insn->round <= PTX_M_ROUND_RN)
    return exact_float(insn->op, a, b, c);
  volatile float x = a, y = b, z = c;
  fesetround(direction(insn->round));
  volatile float result = exact_float(insn->op, x, y, z);
  fesetround(FE_TONEAREST);
  return result;
}

static double rounded_double(const ptx_insn *insn, double a, double b, double c) {
  if (insn->round <= PTX_M_ROUND_RN)
    return exact_double(insn->op, a, b, c);
  volatile double x = a, y = b, z = c;
  fesetround(direction(insn->round));
  volatile double result = exact_double(insn->op, x, y, z);
  fesetround(FE_TONEAREST);
  return result;
}

static bool is_negative_zero(double value) {
  return value == 0 && signbit(value);
}

/* Returns the minimum or maximum. -0 is less than +0. Numbers win over NaN, except with .NaN. */
static double extreme(const ptx_insn *insn, double a, double b) {
  const bool maximum = insn->op == PTX_OP_MAX_F;
  const bool flip = (insn->flags & PTX_FLAG_XORSIGN) && (signbit(a) != 0) != (signbit(b) != 0);
  if (insn->flags & PTX_FLAG_XORSIGN) {
    a = fabs(a);
    b = fabs(b);
  }
  double result;
  if (isnan(a) || isnan(b))
    result = (insn->flags & PTX_FLAG_NAN) || (isnan(a) && isnan(b)) ? NAN : isnan(a) ? b : a;
  else if (a == b)
    result = maximum == is_negative_zero(a) ? b : a;
  else
    result = (a < b) == maximum ? b : a;
  return flip && !isnan(result) ? -result : result;
}

static bool test(uint8_t mode, double value, int class) {
  switch (mode) {
  case PTX_M_TEST_FINITE:
    return isfinite(value);
  case PTX_M_TEST_INFINITE:
    return isinf(value);
  case PTX_M_TEST_NUMBER:
    return !isnan(value);
  case PTX_M_TEST_NOTANUMBER:
    return isnan(value);
  case PTX_M_TEST_NORMAL:
    return class == FP_NORMAL || class == FP_ZERO;
  default:
    return class == FP_SUBNORMAL;
  }
}

/* Computes approximate functions, at least as precisely as a GPU. */
static float function(const ptx_insn *insn, float a) {
  switch (insn->op) {
  case PTX_OP_SIN:
    return sinf(a);
  case PTX_OP_COS:
    return cosf(a);
  case PTX_OP_LG2:
    return log2f(a);
  case PTX_OP_EX2:
    return exp2f(a);
  case PTX_OP_TANH:
    return tanhf(a);
  default: /* PTX_OP_RSQRT */
    return (float)(1 / sqrt((double)a));
  }
}

static uint64_t finish_float(const ptx_insn *insn, float value) {
  value = flush_subnormal(insn, value);
  if (insn->flags & PTX_FLAG_SAT)
    value = !(value > 0) ? 0 : value > 1 ? 1 : value;
  return isnan(value) ? 0x7fffffff : float_bits(value);
}

static uint64_t execute_float(const ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t bits = ptx_get(thread, o[1]);
  const float a = flush_subnormal(insn, to_float(bits));
#define B flush_subnormal(insn, to_float(ptx_get(thread, o[2])))
  switch (insn->op) {
  case PTX_OP_ADD_F:
  case PTX_OP_SUB_F:
  case PTX_OP_MUL_F:
  case PTX_OP_DIV_F:
    return finish_float(insn, rounded_float(insn, a, B, 0));
  case PTX_OP_FMA:
  case PTX_OP_MAD_F:
    return finish_float(
        insn, rounded_float(insn, a, B, flush_subnormal(insn, to_float(ptx_get(thread, o[3])))));
  case PTX_OP_RCP:
  case PTX_OP_SQRT:
    return finish_float(insn, rounded_float(insn, a, 0, 0));
  case PTX_OP_MIN_F:
  case PTX_OP_MAX_F:
    return finish_float(insn, (float)extreme(insn, (double)a, (double)B));
  case PTX_OP_ABS_F:
    return float_bits(a) & 0x7fffffff;
  case PTX_OP_NEG_F:
    return float_bits(a) ^ 0x80000000;
  case PTX_OP_COPYSIGN:
    return (ptx_get(thread, o[2]) & 0x7fffffff) | (bits & 0x80000000);
  case PTX_OP_TESTP:
    return test(insn->mode, (double)a, fpclassify(to_float(bits)));
  default:
    return finish_float(insn, function(insn, a));
  }
#undef B
}

static uint64_t finish_double(const ptx_insn *insn, double value) {
  if (insn->flags & PTX_FLAG_SAT)
    value = !(value > 0) ? 0 : value > 1 ? 1 : value;
  return isnan(value) ? UINT64_C(0x7ff8000000000000) : double_bits(value);
}

/* Not fpclassify, because glibc's macro converts to float, too, if it is optimized for size. */
static int class_of(double value) {
  return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, value);
}

/* Computes like rcp.approx.ftz.f64: the result's lower half is 0, and subnormals become 0. */
static uint64_t gross(double value, double (*operation)(double)) {
  if (class_of(value) == FP_SUBNORMAL)
    value = copysign(0, value);
  const double result = operation(value);
  if (isnan(result))
    return UINT64_C(0x7fffffff00000000);
  if (class_of(result) == FP_SUBNORMAL)
    return signbit(result) ? UINT64_C(1) << 63 : 0;
  return double_bits(result) & UINT64_C(0xffffffff00000000);
}

static double reciprocal(double value) {
  return 1 / value;
}

static double reciprocal_root(double value) {
  return 1 / sqrt(value);
}

static uint64_t execute_double(const ptx_thread *thread, const ptx_insn *insn, const uint32_t *o) {
  const uint64_t bits = ptx_get(thread, o[1]);
  const double a = to_double(bits);
#define B to_double(ptx_get(thread, o[2]))
  switch (insn->op) {
  case PTX_OP_ADD_F:
  case PTX_OP_SUB_F:
  case PTX_OP_MUL_F:
  case PTX_OP_DIV_F:
    return finish_double(insn, rounded_double(insn, a, B, 0));
  case PTX_OP_FMA:
  case PTX_OP_MAD_F:
    return finish_double(insn, rounded_double(insn, a, B, to_double(ptx_get(thread, o[3]))));
  case PTX_OP_RCP:
    if (insn->flags & PTX_FLAG_APPROX)
      return gross(a, reciprocal);
    return finish_double(insn, rounded_double(insn, a, 0, 0));
  case PTX_OP_SQRT:
    return finish_double(insn, rounded_double(insn, a, 0, 0));
  case PTX_OP_RSQRT:
    if (insn->flags & PTX_FLAG_FTZ)
      return gross(a, reciprocal_root);
    return finish_double(insn, reciprocal_root(a));
  case PTX_OP_MIN_F:
  case PTX_OP_MAX_F:
    return finish_double(insn, extreme(insn, a, B));
  case PTX_OP_ABS_F:
    return bits & ~(UINT64_C(1) << 63);
  case PTX_OP_NEG_F:
    return bits ^ UINT64_C(1) << 63;
  case PTX_OP_COPYSIGN:
    return (ptx_get(thread, o[2]) & ~(UINT64_C(1) << 63)) | (bits & UINT64_C(1) << 63);
  default: /* PTX_OP_TESTP */
    return test(insn->mode, a, class_of(a));
  }
#undef B
}

bool ptx_exec_FLOAT(ptx_thread *thread, const ptx_insn *insn) {
  const uint32_t *o = ptx_operands(thread, insn);
  *ptx_slot(thread, o[0]) =
      insn->type == PTX_F32 ? execute_float(thread, insn, o) : execute_double(thread, insn, o);
  return true;
}
