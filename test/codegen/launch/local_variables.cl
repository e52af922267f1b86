// Local variables larger than the 48 KiB that PTX allows, up to the device's limit (166,912 bytes here).
#define FILL(a, n)                                                                                 \
  for (int i = get_local_id(0); i < n; i += get_local_size(0))                                     \
  a[i] = i + sizeof a
// launch: one --global 8 --local 4 --arg i32[8]=zero
// result: 74999 74998 74997 74996 74999 74998 74997 74996
kernel void one(global int *o) {
  local int a[15000];
  FILL(a, 15000);
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = a[14999 - get_local_id(0)];
}

// Several variables, one of them small and one aligned, together with local arguments.
// launch: several --global 2 --local 2 --arg i32[8]=zero --arg local:1000 --arg local:64
// result: 40399 24099 41299 2 1 1001 7 1
kernel void several(global int *o, local uchar *first, local int *second) {
  local int a[10000];
  local char small;
  local short b[12000];
  local double16 wide[2];
  const int id = get_local_id(0);
  FILL(a, 400);
  FILL(b, 100);
  wide[id] = (double16)(41299 + id);
  small = 2;
  for (int i = id; i < 1000; i += 2)
    first[i] = i;
  second[id] = 1001;
  second[15] = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id != 0)
    return;
  o[0] = a[399];
  o[1] = b[99];
  o[2] = wide[0].sf;
  o[3] = small;
  o[4] = first[1];
  o[5] = second[1];
  o[6] = second[15];
  o[7] = (size_t)wide % sizeof(double16) == 0 && (size_t)first % 128 == 0;
}

// A variable as large as the device allows.
// launch: most --global 1 --arg i32[1]=zero
// result: 5
kernel void most(global int *o) {
  local int a[166912 / 4];
  a[166912 / 4 - 1 - get_global_id(0)] = 5;
  o[0] = a[166912 / 4 - 1];
}

// launch: too_much --global 1 --arg i32[1]=zero
// error: kernel too_much has 200064 bytes of local memory of its own and 0 by its arguments; a
// work-group of the device has up to 166912
kernel void too_much(global int *o) {
  local int a[50000];
  a[get_global_id(0)] = 5;
  o[0] = a[0];
}

// launch: together --global 1 --arg i32[1]=zero --arg local:100000
// error: kernel together has 100096 bytes of local memory of its own and 100000 by its arguments
kernel void together(global int *o, local int *l) {
  local int a[25024];
  a[get_global_id(0)] = l[get_global_id(0)] = 5;
  o[0] = a[0] + l[0];
}

// Small variables need no replacement.
// launch: few --global 2 --local 2 --arg i32[2]=zero --arg local:100000
// result: 12 11
kernel void few(global int *o, local int *l) {
  local int a[2];
  a[get_local_id(0)] = 5 + get_local_id(0);
  l[get_local_id(0)] = 6;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = a[1 - get_local_id(0)] + l[0];
}
