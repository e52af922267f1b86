; REQUIRES: ptxas
; RUN: %lower --mode=patch --emit=ptx %S/scalars.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --emit=ptx -O 0 %S/scalars.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %S/../native/structs.ll -o %t.ptx
; RUN: %patch %t.ptx outer+8=04030201 mixed+16=000000000000f03f > %t.text
; RUN: %ptxas %t.text -o %t.cubin
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %S/../native/holes.ll -o %t.ptx
; RUN: %patch %t.ptx middle+8=04030201 > %t.text
; RUN: %ptxas %t.text -o %t.cubin
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %S/../native/vectors.ll -o %t.ptx
; RUN: %patch %t.ptx a+16=04030201 > %t.text
; RUN: %ptxas %t.text -o %t.cubin
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %S/../native/legacy.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --emit=ptx %S/several.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
