/* Lists, trees, hash tables, unions, function pointers, structures by value. */
int printf(const char *format, ...);
void *calloc(unsigned long count, unsigned long size);
void free(void *p);
unsigned long strlen(const char *s);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);

typedef struct entry {
  struct entry *next;
  char name[12];
  int count;
} entry;

enum { BUCKETS = 7 };
static entry *buckets[BUCKETS];

static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}

static entry *enter(const char *name) {
  entry **bucket = &buckets[hash(name) % BUCKETS], *e;
  for (e = *bucket; e; e = e->next)
    if (!strcmp(e->name, name)) {
      e->count++;
      return e;
    }
  e = calloc(1, sizeof *e);
  strcpy(e->name, name);
  e->next = *bucket;
  e->count = 1;
  return *bucket = e;
}

struct tree {
  struct tree *kids[2];
  long key;
};

static struct tree *insert(struct tree *tree, long key) {
  if (!tree) {
    tree = calloc(1, sizeof(struct tree));
    tree->key = key;
  } else if (key != tree->key) {
    tree->kids[key > tree->key] = insert(tree->kids[key > tree->key], key);
  }
  return tree;
}

static int depth(const struct tree *tree) {
  int left, right;
  if (!tree)
    return 0;
  left = depth(tree->kids[0]), right = depth(tree->kids[1]);
  return 1 + (left > right ? left : right);
}

static long walk(struct tree *tree, long (*visit)(long, long), long value) {
  if (!tree)
    return value;
  value = walk(tree->kids[0], visit, value);
  value = visit(value, tree->key);
  value = walk(tree->kids[1], visit, value);
  free(tree);
  return value;
}

static long add(long a, long b) { return a + b; }
static long mix(long a, long b) { return (a * 31 + b) % 1000003; }

union number {
  double d;
  unsigned long bits;
  unsigned char bytes[8];
};

struct complex {
  double re, im;
};
struct big {
  int values[20];
  struct complex c;
};

static struct complex multiply(struct complex a, struct complex b) {
  struct complex product = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return product;
}

static struct big shift(struct big b, int by) {
  struct big result = {.c = b.c};
  int i;
  for (i = 0; i < 20; i++)
    result.values[i] = b.values[(i + by) % 20];
  b.values[0] = -1;
  return result;
}

struct point {
  int x, y;
  union {
    int z;
    char name[4];
  };
};
static const struct point points[] = {{1, 2, {3}}, {.y = 5, .name = "ab"}, [4] = {7, 8}};
static int matrix[][3] = {{1, 2, 3}, {4, 5, 6}, 7, 8, 9};
static const char *const words[] = {"the", "fox", "and", "the", "dog",
                                    "and", "the", "cat", "saw", "fox"};
static struct point *last = (struct point *)&points[4];
static long (*const visitors[2])(long, long) = {add, mix};

int main(void) {
  unsigned long i;
  int j, k;
  for (i = 0; i < sizeof words / sizeof words[0]; i++)
    enter(words[i]);
  for (i = 0; i < BUCKETS; i++)
    for (entry *e = buckets[i], *next; e; e = next) {
      printf("%s=%d ", e->name, e->count);
      next = e->next;
      free(e);
    }
  printf("\n");

  for (i = 0; i < 2; i++) {
    struct tree *tree = 0;
    unsigned state = 12345;
    for (j = 0; j < 500; j++) {
      state = state * 1103515245 + 12345;
      tree = insert(tree, state >> 8 & 1023);
    }
    printf("%d ", depth(tree));
    printf("%ld\n", walk(tree, visitors[i], 0));
  }

  union number n = {.d = -1.5};
  printf("%lx %d %d\n", n.bits, n.bytes[7], (int)sizeof n);
  struct complex c = {1, 1}, one = {.re = 1};
  for (j = 0; j < 9; j++)
    c = multiply(c, j & 1 ? c : one);
  printf("%g %g %g\n", c.re, c.im, multiply(c, (struct complex){0, 2}).im);

  struct big b = {{1, 2, 3}}, moved;
  b.values[19] = 19;
  moved = shift(shift(b, 18), 1);
  printf("%d %d %d %d %d\n", b.values[0], moved.values[0], moved.values[1], moved.values[2],
         shift(b, 2).values[17]);

  for (j = 0; j < 5; j++)
    printf("%d,%d,%d ", points[j].x, points[j].y, points[j].z);
  printf("%d %ld\n", last->x, (long)(last - points));
  for (j = k = 0; j < 3; j++)
    k = k * 10 + matrix[j][j] + (*(matrix + j))[0];
  printf("%d %d\n", k, (int)(sizeof matrix / sizeof *matrix));
  int grid[4][5], *p = &grid[0][0];
  for (j = 0; j < 20; j++)
    *p++ = j * j;
  printf("%d %d %ld\n", grid[3][4], grid[1][2], (long)(p - grid[0]));
  return 0;
}
