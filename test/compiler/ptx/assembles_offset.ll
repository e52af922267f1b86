; REQUIRES: ptxas
; RUN: %lower --mode=patch --emit=ptx %S/offset.ll -o %t.ptx && %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --emit=ptx -O 0 %S/offset.ll -o %t.ptx && %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=emulate --emit=ptx %S/offset_emulate.ll -o %t.ptx && %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx %S/linear.ll -o %t.ptx && %ptxas %t.ptx -o %t.cubin
