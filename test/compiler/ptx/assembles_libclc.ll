; REQUIRES: ptxas, libclc
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx --library=%libclc %S/libclc.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 --library=%libclc %S/libclc.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
