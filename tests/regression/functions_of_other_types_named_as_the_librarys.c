// Another unit's function with the name of one of POSIX was taken for the library's, whatever its
// types were: the program crashed.
// RUN: %acre-cc -O1 -w -c -DIS_OTHER_UNIT %s -o %t.o
// RUN: %acre-cc -O1 -w %s %t.o -o %t && %t
// RUN: %acre-cc -O1 -w -c -DIS_OTHER_UNIT -facre-malloc=collected %s -o %t.o
// RUN: %acre-cc -O1 -w -facre-malloc=collected %s %t.o -o %t && %t
int closelog(int number);
int insque(int a, int b, int c);
int munmap(double x);
int openlog(double x);
int remque(void);
double setstate(double x);
int timer_create(const char *name, double seconds, int *count);
int timer_delete(const char *name, int *count, int more);
int tsearch(double key, double map);
int valloc(double x);

#ifdef IS_OTHER_UNIT
int closelog(int number) { return number; }
int insque(int a, int b, int c) { return a + b + c; }
int munmap(double x) { return (int)x; }
int openlog(double x) { return (int)x; }
int remque(void) { return 3; }
double setstate(double x) { return x; }
int timer_create(const char *name, double seconds, int *count) {
  ++*count;
  return name[0] + (int)seconds;
}
int timer_delete(const char *name, int *count, int more) {
  *count += more;
  return name[0];
}
int tsearch(double key, double map) { return (int)(key * map); }
int valloc(double x) { return (int)x; }
#else
int main(void) {
  int count = 0;
  if (timer_create("a", 2.5, &count) != 'a' + 2 || timer_delete("b", &count, 4) != 'b')
    return 1;
  if (count != 5 || insque(1, 2, 3) != 6 || remque() != 3 || tsearch(2.5, 2) != 5)
    return 2;
  if (closelog(7) != 7 || openlog(8.5) != 8 || munmap(9.5) != 9 || valloc(6.5) != 6)
    return 3;
  return setstate(2.5) == 2.5 ? 0 : 4;
}
#endif
