// to_global, to_local and to_private return the pointer if it points to that address space, and else NULL.
// In this kernel the compiler knows the address space.
// launch: known --global 1 --arg i32[9]=zero --arg local:16
// result: 1 1 1 1 1 1 1 1 1
kernel void known(global int *o, local int *l) {
  int p[4] = {1, 2, 3, 4};
  l[0] = p[0];
  int *generic_global = (int *)o, *generic_local = (int *)(l + 1), *generic_private = (int *)p;
  o[0] = to_global(generic_global) == o;
  o[1] = to_local(generic_global) == 0;
  o[2] = to_private(generic_global) == 0;
  o[3] = to_global(generic_local) == 0;
  o[4] = to_local(generic_local) == l + 1;
  o[5] = to_private(generic_local) == 0;
  o[6] = to_global(generic_private) == 0;
  o[7] = to_local(generic_private) == 0;
  o[8] = to_private(generic_private) == p;
}

// launch: moved --global 1 --arg i32[6]=zero --arg local:64
// result: 1 1 1 1 1 1
int *moved_by(int *p, int count) {
  return p + count;
}
global int variable[4];
kernel void moved(global int *o, local int *l) {
  local int own[4];
  int p[4] = {1, 2, 3, 4};
  const int i = get_global_id(0);
  l[i] = own[i] = variable[i] = p[i];
  o[0] = to_local(moved_by(o, 2)) == 0 && to_private(moved_by(o, i)) == 0;
  o[1] = to_global(moved_by((int *)own, 2)) == 0 && to_private(moved_by((int *)l, i)) == 0;
  o[2] = to_global(moved_by(p, 2)) == 0 && to_local(moved_by(p, i)) == 0;
  o[3] = to_global(moved_by((int *)(variable + 3), -1)) == variable + 2;
  o[4] = to_local(moved_by((int *)own, 3)) == own + 3 && to_local(moved_by((int *)l, 3)) == l + 3;
  o[5] = *to_private(moved_by(p, i + 2)) == 3;
}

// launch: used --global 1 --arg i32[3]=zero --arg local:16
// result: -1 7 7
kernel void used(global int *o, local int *l) {
  int *generic_global = (int *)(o + 1), *generic_local = (int *)l;
  local int *none = to_local(generic_global);
  global int *some = to_global(generic_global);
  *l = 7;
  o[0] = none ? *none : -1;
  if (some)
    *some = 7;
  if (to_global(generic_local))
    *to_global(generic_local) = 8;
  o[2] = *l;
}

// launch: unknown --global 1 --arg i32[4]=zero --arg local:16
// result: 1 2 4 0
__attribute__((noinline)) int kinds_of(const int *p) {
  return (to_global(p) != 0) | (to_local(p) != 0) << 1 | (to_private(p) != 0) << 2;
}
kernel void unknown(global int *o, local int *l) {
  int p[4] = {1, 2, 3, 4};
  l[1] = p[0];
  o[0] = kinds_of((int *)o);
  o[1] = kinds_of((int *)(l + 1));
  o[2] = kinds_of(p + get_global_id(0));
  o[3] = kinds_of(0);
}

// Before sm_90 local memory begins at address 0. No variable may be there, because its address would be NULL.
// launch: first --global 1 --arg i32[1]=zero
// result: 3
kernel void first(global int *o) {
  local int own;
  own = get_global_id(0);
  o[0] = (to_local((int *)&own) != 0) + 2 * kinds_of((int *)&own) / 2;
}

// launch: first_argument --global 1 --arg i32[1]=zero --arg local:16
// result: 2
kernel void first_argument(global int *o, local int *l) {
  *l = 5;
  o[0] = kinds_of((int *)l);
}

// launch: chosen --global 1 --arg i32[3]=zero
// result: 7 -1 7
kernel void chosen(global int *o) {
  local int own[2];
  own[0] = 7;
  for (int i = 0; i < 3; i++) {
    local int *p = i == 1 + get_global_id(0) ? 0 : own;
    o[i] = p ? *p : -1;
  }
}

// launch: fences --global 1 --arg i32[2]=zero --arg local:16
// result: 1 1
kernel void fences(global int *o, local int *l) {
  *l = 1;
  o[0] = get_fence((int *)o) == CLK_GLOBAL_MEM_FENCE;
  o[1] = get_fence((int *)l) == CLK_LOCAL_MEM_FENCE;
}

// NULL of one address space converts to NULL of every other.
// launch: nulls --global 1 --arg i32[5]=zero
// result: 1 1 1 1 1
constant struct { int *p; local int *l; global int *g; } fixed[2] = {{(int *)(local int *)0, 0, 0}, {0, 0, 0}};
kernel void nulls(global int *o) {
  const int i = get_global_id(0);
  o[0] = (int *)(local int *)0 == 0;
  o[1] = (int *)(global int *)0 == (int *)(private int *)0;
  o[2] = to_global((int *)0) == 0 && to_local((int *)0) == 0 && to_private((int *)0) == 0;
  o[3] = to_global((int *)(local int *)0) == 0 && to_private((int *)(local int *)0) == 0;
  o[4] = fixed[i].p == 0 && fixed[i].l == 0 && fixed[i].g == 0 && (int *)fixed[i].g == 0;
}
