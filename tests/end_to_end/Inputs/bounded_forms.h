// Calls that are to be refused where they leave their object, and only there.
#ifndef BOUNDED_FORMS_H
#define BOUNDED_FORMS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A call that is to access size bytes from the start of its object, or at least may. */
typedef struct bounded_form {
  const char *name;
  void (*call)(size_t size);
} bounded_form;

static inline bool form_aborts(const bounded_form *form, size_t size) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(2);
    form->call(size);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

/* How many forms do not do as they should. */
static inline int wrong_forms(const bounded_form *forms, size_t count, size_t inside,
                              size_t outside) {
  int wrong = 0;
  for (size_t i = 0; i < count; i++) {
    bool accepted = !form_aborts(&forms[i], inside), refused = form_aborts(&forms[i], outside);
    if (!accepted || !refused)
      wrong += printf("%s: %s\n", forms[i].name,
                      accepted ? "not refused outside" : "refused inside");
  }
  return wrong;
}

#define CHECK_FORMS(forms, inside, outside) \
  CHECK(wrong_forms(forms, sizeof(forms) / sizeof *(forms), inside, outside) == 0)

#endif
