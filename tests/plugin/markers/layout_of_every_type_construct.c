// Each kind of member yields the runs of its pointers, with rule and path.  What may stand behind
// a name is not asked here.
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/region.h>
#include <stdarg.h>

typedef struct leaf { int x; double d; } leaf;
struct node { struct node *sameregion next; const char *traditional name; void *data; };
typedef struct { struct node *parentptr up; } *handle;
struct nested {
  int a;
  struct node inner;
  struct {
    char *p, *q;
  };
  struct {
    int c;
    char *r;
  } named;
};
struct arrays {
  char *one[3];
  struct node nodes[2];
  struct {
    char *t[2];
    int u;
  } grid[10];
  char *deep[2][3];
};
struct functions { void (*f)(void); int (*table[4])(int) deletes; };
struct bits { int a : 3; char *p; unsigned b : 7; char *q; };
struct atomics {
  _Atomic(char *) a;
  _Atomic(char *sameregion) b;
  _Atomic(struct {
    char *p;
    char *q;
  }) c;
};
struct vectors { int v __attribute__((vector_size(16))); _Complex double c; char *p; };
struct handles { region r; char *p; };
struct arguments { va_list ap; };
struct empty {};
struct __attribute__((packed)) packed { char t; char *p; };
struct opaque;

void scalars(region r) {
  ralloc(r, int);                // CHECK-DAG: ;scalars|int{{[^;]*}};4;4;0;0\00
  ralloc(r, leaf);               // CHECK-DAG: ;scalars|leaf{{[^;]*}};16;8;0;0\00
  // CHECK-DAG: ;scalars|struct node{{[^;]*}};24;8;3;0;0,1,8,s,next;8,1,8,t,name;16,1,8,p,data\00
  ralloc(r, struct node);
  ralloc(r, struct node *);      // CHECK-DAG: ;scalars|struct node *{{[^;]*}};8;8;1;0;0,1,8,p,\00
  ralloc(r, handle);             // CHECK-DAG: ;scalars|handle{{[^;]*}};8;8;1;0;0,1,8,p,\00
  ralloc(r, void (*)(void));     // CHECK-DAG: ;scalars|void (*)(void){{[^;]*}};8;8;1;0;0,1,8,p,\00
  ralloc(r, const struct empty); // CHECK-DAG: ;scalars|struct empty{{[^;]*}};0;1;0;0\00
}

void records(region r) {
  // CHECK-DAG: |struct nested{{[^;]*}};64;8;6;0;8,1,8,s,inner.next;16,1,8,t,inner.name;24,1,8,p,inner.data;32,1,8,p,p;40,1,8,p,q;56,1,8,p,named.r\00
  ralloc(r, struct nested);
  // CHECK-DAG: |struct arrays{{[^;]*}};360;8;7;0;0,3,8,p,one;24,2,24,s,nodes.next;32,2,24,t,nodes.name;40,2,24,p,nodes.data;72,10,24,p,grid.t;80,10,24,p,grid.t;312,6,8,p,deep\00
  ralloc(r, struct arrays);
  ralloc(r, struct functions); // CHECK-DAG: |struct functions{{[^;]*}};40;8;2;0;0,1,8,p,f;8,4,8,p,table\00
  ralloc(r, struct bits);      // CHECK-DAG: |struct bits{{[^;]*}};32;8;2;0;8,1,8,p,p;24,1,8,p,q\00
  // CHECK-DAG: |struct atomics{{[^;]*}};32;16;4;0;0,1,8,p,a;8,1,8,s,b;16,1,8,p,c.p;24,1,8,p,c.q\00
  ralloc(r, struct atomics);
  ralloc(r, struct vectors);   // CHECK-DAG: |struct vectors{{[^;]*}};48;16;1;0;32,1,8,p,p\00
  ralloc(r, struct packed);    // CHECK-DAG: |struct packed{{[^;]*}};9;1;1;0;1,1,8,p,p\00
  // CHECK-DAG: |struct arguments{{[^;]*}};24;8;2;0;8,1,24,p,ap.overflow_arg_area;16,1,24,p,ap.reg_save_area\00
  ralloc(r, struct arguments);
  // A region handle is no address.
  ralloc(r, struct handles);   // CHECK-DAG: |struct handles{{[^;]*}};16;8;1;0;8,1,8,p,p\00
}

union all_same { char *a; struct node *b; };
union mixed { char *a; long b; };
union wider { char *a[2]; struct { long x; char *y; char *z; } b; char c[40]; };
union annotated { struct node *sameregion a; struct node *sameregion b; };
union clash { struct node *sameregion a; struct node *b; };
struct tagged { int tag; union { char *s; double d; }; union mixed m[2]; };

// A word that may hold something else is u; where all members agree it is not.
void unions(region r) {
  ralloc(r, union all_same);  // CHECK-DAG: |union all_same{{[^;]*}};8;8;1;0;0,1,8,p,a\00
  ralloc(r, union mixed);     // CHECK-DAG: |union mixed{{[^;]*}};8;8;1;0;0,1,8,u,a\00
  ralloc(r, union wider);     // CHECK-DAG: |union wider{{[^;]*}};40;8;1;0;0,3,8,u,a\00
  ralloc(r, union annotated); // CHECK-DAG: |union annotated{{[^;]*}};8;8;1;0;0,1,8,s,a\00
  ralloc(r, union clash);     // CHECK-DAG: |union clash{{[^;]*}};8;8;1;0;0,1,8,u,a\00
  ralloc(r, struct tagged);   // CHECK-DAG: |struct tagged{{[^;]*}};32;8;2;0;8,1,8,u,s;16,2,8,u,m.a\00
}

struct flexible { int n; struct node *sameregion kids[]; };
struct flexible_records { int n; struct { int k; char *v; } rows[]; };
struct flexible_bytes { char *p; char bytes[]; };
struct zero_length { char *p; char *rest[0]; };
struct outer { int k; struct flexible f; };
union unsized { int n; struct flexible f; };

void flexible_members(region r) {
  ralloc(r, struct flexible);         // CHECK-DAG: |struct flexible{{[^;]*}};8;8;0;8;8,1,8,s,kids\00
  // CHECK-DAG: |struct flexible_records{{[^;]*}};8;8;0;16;16,1,8,p,rows.v\00
  ralloc(r, struct flexible_records);
  ralloc(r, struct flexible_bytes);   // CHECK-DAG: |struct flexible_bytes{{[^;]*}};8;8;1;8;0,1,8,p,p\00
  // CHECK-DAG: |struct zero_length{{[^;]*}};8;8;1;8;0,1,8,p,p;8,1,8,p,rest\00
  ralloc(r, struct zero_length);
  ralloc(r, struct outer);            // CHECK-DAG: |struct outer{{[^;]*}};16;8;0;8;16,1,8,s,f.kids\00
}

struct big { char *p[100000000]; };
struct matrix { struct { char *p; char a; char *q[3]; } rows[2000]; };
struct too_deep {
  struct {
    struct {
      struct {
        int i;
        char *p[3];
      } a[50];
      int k;
    } b[50];
    int l;
  } c[50];
};
union too_many { struct { int a; char *p[10000]; } x; long y[10001]; };

// Arrays are runs; where the runs would be too many, every word is u.
void large(region r, int n) {
  ralloc(r, struct big);            // CHECK-DAG: |struct big{{[^;]*}};800000000;8;1;0;0,100000000,8,p,p\00
  // CHECK-DAG: |struct matrix{{[^;]*}};80000;8;4;0;0,2000,40,p,rows.p;16,2000,40,p,rows.q;24,2000,40,p,rows.q;32,2000,40,p,rows.q\00
  ralloc(r, struct matrix);
  ralloc(r, struct too_deep);       // CHECK-DAG: |struct too_deep{{[^;]*}};4020400;8;1;0;0,502550,8,u,c\00
  ralloc(r, union too_many);        // CHECK-DAG: |union too_many{{[^;]*}};80008;8;1;0;0,10001,8,u,\00
  ralloc(r, char *[5]);             // CHECK-DAG: |char *[5]{{[^;]*}};40;8;1;0;0,5,8,p,\00
  ralloc(r, char *sameregion[2][2]);// CHECK-DAG: |char *[2][2]{{[^;]*}};32;8;1;0;0,4,8,s,\00
  ralloc(r, struct node[n]);        // CHECK-DAG: ;large|struct node;24;8;3;0;
}

// No layout: the runtime expects pointers anywhere.
void take(const acre_site *);
void unknown(region r) {
  ralloc(r, union unsized); // CHECK-DAG: c"{{[^"]*}};[[@LINE]];unknown|\00
  ralloc(r, void);          // CHECK-DAG: c"{{[^"]*}};[[@LINE]];unknown|\00
  take(ACRE_TYPE(struct opaque)); // CHECK-DAG: c"{{[^"]*}};[[@LINE]];unknown|\00
  take(ACRE_TYPE(void(void)));    // CHECK-DAG: c"{{[^"]*}};[[@LINE]];unknown|\00
}

// The characters of the grammar are escaped in names.
#line 7 "a;b|c%d,e.c"
void names(region r) { ralloc(r, int); } // CHECK-DAG: c"{{.*}}:a%3bb%7cc%25d%2ce.c;7;names|int;4;4;0;0\00
