// A plain pointer that a variable was adopted from was not tied to that: it could be used after the
// object had gone, be adopted twice, or be the place of a walk that frees.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <sys/queue.h>

struct job {
  TAILQ_ENTRY(job) link;
  char *unique name;
  int id;
};
TAILQ_HEAD(jobs, job);

int used_after(struct jobs *borrowed q) {
  struct job *e = TAILQ_FIRST(q);
  TAILQ_REMOVE(q, e, link);
  struct job *unique j = (struct job *unique)e;
  acre_drop(j);
  return e->id; // expected-error {{'e'}}
}

void frees_its_place(struct jobs *borrowed q) {
  struct job *e;
  TAILQ_FOREACH(e, q, link) { // expected-error {{'e'}}
    struct job *unique j = (struct job *unique)e;
    acre_drop(j);
  }
}

void adopted_twice(struct jobs *borrowed q) {
  struct job *e = TAILQ_FIRST(q);
  struct job *unique j = (struct job *unique)e;
  struct job *unique k = (struct job *unique)e; // expected-error {{'j'}}
  acre_drop(j);
  acre_drop(k);
}

int right(struct jobs *borrowed q) {
  struct job *e = TAILQ_FIRST(q);
  if (!e)
    return 0;
  TAILQ_REMOVE(q, e, link);
  struct job *unique j = (struct job *unique)e;
  int id = e->id;
  acre_drop(j);
  return id;
}

void frees_behind(struct jobs *borrowed q) {
  struct job *e;
  while ((e = TAILQ_FIRST(q)) != NULL) {
    TAILQ_REMOVE(q, e, link);
    struct job *unique j = (struct job *unique)e;
    acre_drop(j);
  }
}

int adopted_again_elsewhere(struct jobs *borrowed q, struct jobs *borrowed others) {
  struct job *e = TAILQ_FIRST(q);
  struct job *unique j = (struct job *unique)e;
  acre_drop(j);
  e = TAILQ_FIRST(others);
  struct job *unique k = (struct job *unique)e;
  int id = k ? k->id : 0;
  acre_drop(k);
  return id;
}
