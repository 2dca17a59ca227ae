/* annotations.h - the words Acre adds to C.
 *
 * Compiled by acre-cc (which defines __ACRE__) each word is a type annotation that the plugin reads.
 * Under every other compiler it is nothing, and the program means what it says without it.
 *
 *   T *sameregion p     null, or into the region of the object that holds p      (RC paper, 3.2)
 *   T *parentptr p      null, or into the holder's region or an ancestor of it
 *   T *traditional p    null, or outside all regions: code, globals, stack, malloc memory
 *   void f(...) deletes a call of f may delete a region
 *
 * The first three stand directly after the star (before const, if that follows) or after a name of pointer type;
 * deletes stands after the parameter list.  Define ACRE_NO_SHORT_NAMES to get only the names that begin with ACRE_.
 */
#ifndef ACRE_ANNOTATIONS_H
#define ACRE_ANNOTATIONS_H

#if defined(__ACRE__)
#if defined(__cplusplus) || __STDC_VERSION__ > 201710L
#define ACRE_ANNOTATION_(word) [[clang::annotate_type(word)]]
#else
/* Before C23 the brackets are an extension, which the program did not choose to use. */
#define ACRE_ANNOTATION_(word)                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc23-extensions\"") \
  [[clang::annotate_type(word)]] _Pragma("clang diagnostic pop")
#endif
#define ACRE_SAMEREGION ACRE_ANNOTATION_("acre.sameregion")
#define ACRE_PARENTPTR ACRE_ANNOTATION_("acre.parentptr")
#define ACRE_TRADITIONAL ACRE_ANNOTATION_("acre.traditional")
#define ACRE_DELETES ACRE_ANNOTATION_("acre.deletes")
#else
#define ACRE_SAMEREGION
#define ACRE_PARENTPTR
#define ACRE_TRADITIONAL
#define ACRE_DELETES
#endif

#ifndef ACRE_NO_SHORT_NAMES
#define sameregion ACRE_SAMEREGION
#define parentptr ACRE_PARENTPTR
#define traditional ACRE_TRADITIONAL
#define deletes ACRE_DELETES
#endif

#endif
