// The runtime's variables of each thread are not emulated: a link failed without saying why.
// RUN: not %acre-cc -femulated-tls -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: acre-cc: error: {{.*}}-femulated-tls{{.*}}-fno-acre
// RUN: %acre-cc -femulated-tls -fno-emulated-tls -c %s -o %t.o
// RUN: %acre-cc -femulated-tls -fno-acre -c %s -o %t.o
_Thread_local int number;
