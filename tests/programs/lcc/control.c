/* Statements: loops, switch, goto, recursion, scopes; a sudoku, a sieve, a small interpreter, text.
 */
int printf(const char *format, ...);
int puts(const char *text);
void qsort(void *base, unsigned long count, unsigned long size,
           int (*compare)(const void *, const void *));
void *memset(void *to, int value, unsigned long size);

# 100 "control-body.c" 1
static char sudoku[82] =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

static int fits(int cell, char digit) {
  int row = cell / 9, column = cell % 9, i;
  for (i = 0; i < 9; i++)
    if (sudoku[row * 9 + i] == digit || sudoku[i * 9 + column] == digit ||
        sudoku[(row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3] == digit)
      return 0;
  return 1;
}

static int solve(int cell) {
  char digit;
  while (cell < 81 && sudoku[cell] != '.')
    cell++;
  if (cell == 81)
    return 1;
  for (digit = '1'; digit <= '9'; digit++) {
    if (!fits(cell, digit))
      continue;
    sudoku[cell] = digit;
    if (solve(cell + 1))
      return 1;
  }
  sudoku[cell] = '.';
  return 0;
}

static int sieve(int limit) {
  static unsigned char composite[10000];
  int count = 0, i, j;
  memset(composite, 0, sizeof composite);
  for (i = 2; i < limit; i++) {
    if (composite[i])
      continue;
    count++;
    for (j = i * 2; j < limit; j += i)
      composite[j] = 1;
  }
  return count;
}

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JNZ, PRINT, HALT };

static int run(const int *code) {
  int stack[32], *top = stack, steps = 0, held;
  const int *pc = code;
again:
  steps++;
  switch ((enum op) * pc++) {
  case PUSH:
    *top++ = *pc++;
    goto again;
  case ADD:
    top--, top[-1] += *top;
    goto again;
  case SUB:
    top--, top[-1] -= *top;
    goto again;
  case MUL:
    --top;
    top[-1] *= top[0];
    goto again;
  case DUP:
    *top = top[-1], top++;
    goto again;
  case SWAP:
    held = top[-1];
    top[-1] = top[-2];
    top[-2] = held;
    goto again;
  case JNZ:
    held = *pc++;
    if (*--top)
      pc = code + held;
    goto again;
  case PRINT:
    printf("%d ", *--top);
    goto again;
  case HALT:
    break;
  default:
    return -1;
  }
  return steps;
}

static const char *name_of(unsigned long n) {
  switch (n) {
  default:
    return "other";
  case 1:
    return "one";
  case 2:
  case 3:
    return "few";
  case 10:
  case 11:
  case 12:
  case 13:
    return "ten";
  case 1000000007:
    return "prime";
  case 5000000000ul:
    return "long";
  }
}

static int duff(char *to, const char *from, int count) {
  int n = (count + 3) / 4, turns = 0;
  switch (count % 4) {
  case 0:
    do {
      *to++ = *from++;
    case 3:
      *to++ = *from++;
    case 2:
      *to++ = *from++;
    case 1:
      *to++ = *from++;
      turns++;
    } while (--n > 0);
  }
  *to = 0;
  return turns;
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static unsigned long ackermann(unsigned long m, unsigned long n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int shadow(int x) {
  int y = x;
  {
    int x = y * 2;
    for (int y = 0; y < 3; y++)
      x += y;
    y += x;
  }
  return x * 100 + y;
}

int main(void) {
  static const int program[] = {PUSH, 1,    PUSH, 6,   DUP, PRINT, SWAP, PUSH,  2,     MUL,
                                SWAP, PUSH, 1,    SUB, DUP, JNZ,   4,    PRINT, PRINT, HALT};
  double values[40];
  char text[32];
  int i, found = 0;
  solve(0);
  puts(sudoku);
  printf("%d primes\n", sieve(10000));
  printf("%d steps\n", run(program));
  printf("%s %s %s %s %s %s\n", name_of(1), name_of(3), name_of(12), name_of(1000000007),
         name_of(5000000000), name_of(4));
  printf("%d ", duff(text, "a string of 22 letters", 22));
  puts(text);
  for (i = 0; i < 40; i++)
    values[i] = (i * 7919 % 101) / 4.0;
  qsort(values, 40, sizeof values[0], compare);
  for (i = 0; i < 40; i += 13)
    printf("%g ", values[i]);
  printf("%lu %d\n", ackermann(2, 5), shadow(4));
  for (i = 0;; i++) {
    int j = i;
    while (1) {
      if (j % 7 == 3)
        break;
      if (j > 100)
        goto done;
      j += 5;
    }
    found += j;
    do
      found ^= i;
    while (0);
    if (i > 60)
      break;
  }
done:
  printf("%d %s "
         "joined"
         "\x21\n",
         found, &"a tail"[2]);
  return 0;
}
