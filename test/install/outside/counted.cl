kernel void counted(global int *data) { data[get_global_id(0)] += 100; }
