/* Conversions and operators of every type; what can be computed at compile time, computed at run
 * time too. */
int printf(const char *format, ...);

static int failures;

static void check(long computed, long expected) {
  static int number;
  number++;
  if (computed != expected) {
    printf("check %d: %ld, not %ld\n", number, computed, expected);
    failures++;
  }
}

static signed char c = -7;
static unsigned char uc = 250;
static short s = -30000;
static unsigned short us = 60000;
static int i = -2000000000;
static unsigned u = 4000000000u;
static long l = -9000000000000000000;
static unsigned long ul = 18000000000000000000ul;
static float f = 2.75f;
static double d = -1234567.5;
static _Bool t = 5;

static void integers(void) {
  check(c + uc, 243);
  check(c * s, 210000);
  check((unsigned char)(uc + 10), 4);
  check(us + s, 30000);
  check(i + u, 2000000000u);
  check(i < u, 1);
  check(c < uc, 1);
  check((unsigned)c > u, 1);
  check(l / c, 1285714285714285714);
  check(ul / 7, 2571428571428571428);
  check(ul % 1000, 0);
  check(i % 7, -2000000000 % 7);
  check(i >> 3, -250000000);
  check(u >> 3, 500000000);
  check(i << 1, (int)294967296);
  check(l >> 60, -8);
  check(ul >> 60, 15);
  check(~uc, -251);
  check(-us, -60000);
  check(!d + !t + !failures, 1);
  check((short)u, (short)4000000000u);
  check((signed char)ul, 0);
  check((long)(int)ul, (int)18000000000000000000ul);
  check(t + t, 2);
  check(t, 1);
  check((_Bool)0.25, 1);
  check(sizeof(c + c), 4);
  check(sizeof(us ? l : i), 8);
  check(-1 < 0u, 0);
  check('\377', -1);
  check(0x7fffffff + 1u, 0x80000000u);
  check(i & u | us ^ c, ((-2000000000) & 4000000000u) | (60000 ^ -7));
}

static void floats(void) {
  check(f * 4, 11);
  check(d / 2, -617283);
  check((unsigned char)f, 2);
  check((long)(d * 1e6), -1234567500000);
  check((unsigned long)1.6e19, 16000000000000000000ul);
  check((unsigned long)(-d * 1e13), 12345675000000000000ul);
  check((double)ul == 1.8e19, 1);
  check((float)l < -8.9e18f, 1);
  check((double)u, 4000000000u);
  check((float)c + f, -4);
  check(f == 2.75 && d != f && d < f && f >= 2.75f, 1);
  double nan = (d - d) / (d - d), zero = -0.0;
  check(nan == nan, 0);
  check(nan != nan, 1);
  check(nan < 1 || nan > 1 || nan <= 1 || nan >= 1, 0);
  check(!(nan < 1), 1);
  check(nan ? 1 : 2, 1);
  check(1 / zero < 0, 1);
  check(1 / -zero > 0, 1);
  check(zero ? 1 : 2, 2);
  if (d)
    f = -f;
  check(f, -2);
}

static void updates(void) {
  unsigned char a = 200;
  short b[3] = {1, 2, 3}, *p = b;
  long n = 5;
  a += 100;
  check(a, 44);
  a <<= 3;
  check(a, 96);
  a *= 1.5;
  check(a, 144);
  check(a++, 144);
  check(a, 145);
  check(*p++, 1);
  check(*p, 2);
  check(*++p, 3);
  p -= 2;
  check(p[1] -= 7, -5);
  check((n %= 3, n++, n), 3);
  n = b[n - 1] = a = 300;
  check(n, 44);
  check(b[2], 44);
  t = 0;
  check(t++, 0);
  check(t |= 2, 1);
  d += c;
  check(d, -1234574);
  check((p + 2) - b, 2);
  check((void *)p == b && p < b + 1, 1);
}

static int calls;
static int called(int value) {
  calls++;
  return value;
}

static void logic(void) {
  check(called(0) && called(1) || called(2), 1);
  check(calls, 2);
  check(called(1) || called(1), 1);
  check(calls, 3);
  check(called(3) ? called(4) : called(5), 4);
  check(calls, 5);
  check(!(called(0) || called(0)) && called(7), 1);
  check(calls, 8);
  check((called(1), called(2)) + (calls > 8 ? 10 : 20), 12);
  check((3 < 2) == (2 > 3), 1);
  int same = calls * 3 + calls * 3 - (calls * 3 << 1);
  check(same, 0);
}

static double many(int a, double b, long e, float g, short h, char k, unsigned m, long n, double o,
                   double p, double q, float r, double v, double w, double x, int y, double z) {
  return a + b * e - g + h * k + m - n + o * p - q * r + v / w + x * y - z;
}

static double average(int count, ...) {
  __builtin_va_list list, again;
  double sum = 0;
  __builtin_va_start(list, count);
  __builtin_va_copy(again, list);
  for (int j = 0; j < count; j++)
    sum += j & 1 ? __builtin_va_arg(list, double) : __builtin_va_arg(list, int);
  __builtin_va_end(list);
  sum += __builtin_va_arg(again, int);
  __builtin_va_end(again);
  return sum / count;
}

int main(void) {
  integers();
  floats();
  updates();
  logic();
  printf("%g\n", many(1, 2.5, 3, 4.5f, 5, 6, 7, 8, 9.5, 10, 11, 12.25f, 13, 14, 15, 16, 17.75));
  printf("%g\n", average(14, 1, 2.0, 3, 4.0, 5, 6.0, 7, 8.0, 9, 10.0, 11, 12.0, 13, 14.5));
  printf("%d failures\n", failures);
  return failures != 0;
}
