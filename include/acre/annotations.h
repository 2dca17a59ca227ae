/* SPDX-License-Identifier: MIT */
/* annotations.h - the words Acre adds to C.
 *
 * Compiled by acre-cc (which defines __ACRE__) each word is an annotation that the plugin reads.
 * Under every other compiler it is nothing, and the program means what it says without it.
 *
 * On slots ("Language Support for Regions", section 3.2).  A store that breaks the rule aborts:
 *
 *   T *sameregion p      null, or into the region of the object that holds p
 *   T *parentptr p       null, or into the holder's region or an ancestor of it
 *   T *traditional p     null, or outside all regions: code, globals, stack, malloc memory
 *   region sameregion r  null, or a handle of such a region; the same with the other two words
 *
 * In signatures (section 4.1).  Callers check arguments, the function checks its result:
 *
 *   T *inregion(r) p     null, or into region r
 *   T *inparent(r) p     null, or into region r or an ancestor of it
 *   void f(...) deletes  a call of f may delete a region; later declarations need not repeat it
 *
 * On variables of static storage that are regions or pointers:
 *
 *   settled region r     only functions that are deletes set it, so others see it unchanged
 *
 * deletes stands after the parameter list, settled among the words before the type, the others
 * directly after the star (before const, if that follows) or after a name of pointer type.  r is
 * the name of another parameter or of a variable of file scope: a region, or a pointer to an object
 * in the region.
 *
 * With -facre-frames=conservative deletes and settled are nothing either: each delete searches the
 * frames of all functions, and needs none to say that it may delete.
 *
 * Short names can clash with a program's own, so each can be had or left.  This holds for every
 * header of Acre; what is defined must be before the first of them is included:
 *
 *   #define ACRE_NO_settled      all short names but settled; its long name is ACRE_SETTLED
 *   #define ACRE_NO_SHORT_NAMES  none: only names that begin with ACRE_ and acre_
 *   #define ACRE_USE_deletes     deletes, though ACRE_NO_SHORT_NAMES is defined
 */
#ifndef ACRE_ANNOTATIONS_H
#define ACRE_ANNOTATIONS_H

#if defined(__ACRE__)
/* Clang 19 keeps what annotate_type was given out of the type. */
#if defined(__cplusplus) || __clang_major__ >= 20
#define ACRE_WORD_(word) clang::annotate_type(word)
#define ACRE_WORD_OF_(word, name) clang::annotate_type(word, name)
#else
#define ACRE_WORD_(word) clang::btf_type_tag(word)
#define ACRE_WORD_OF_(word, name) clang::btf_type_tag(word ":" name)
#endif
#if defined(__cplusplus) || __STDC_VERSION__ > 201710L
#define ACRE_IN_BRACKETS_(...) [[__VA_ARGS__]]
#else
/* Before C23 the brackets are an extension, which the program did not choose to use. */
#define ACRE_IN_BRACKETS_(...)                                                              \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc23-extensions\"") \
      [[__VA_ARGS__]] _Pragma("clang diagnostic pop")
#endif
#define ACRE_ANNOTATION_(word) ACRE_IN_BRACKETS_(ACRE_WORD_(word))
#define ACRE_ANNOTATION_OF_(word, name) ACRE_IN_BRACKETS_(ACRE_WORD_OF_(word, name))
#define ACRE_SAMEREGION ACRE_ANNOTATION_("acre.sameregion")
#define ACRE_PARENTPTR ACRE_ANNOTATION_("acre.parentptr")
#define ACRE_TRADITIONAL ACRE_ANNOTATION_("acre.traditional")
#define ACRE_INREGION(region) ACRE_ANNOTATION_OF_("acre.inregion", #region)
#define ACRE_INPARENT(region) ACRE_ANNOTATION_OF_("acre.inparent", #region)
#if defined(__ACRE_CONSERVATIVE_FRAMES__)
/* Any function may delete: neither word could say more. */
#define ACRE_DELETES
#define ACRE_SETTLED
#else
#define ACRE_DELETES ACRE_ANNOTATION_("acre.deletes")
#define ACRE_SETTLED __attribute__((annotate("acre.settled")))
#endif
#else
#define ACRE_SAMEREGION
#define ACRE_PARENTPTR
#define ACRE_TRADITIONAL
#define ACRE_DELETES
#define ACRE_INREGION(region)
#define ACRE_INPARENT(region)
#define ACRE_SETTLED
#endif

/* Whether short names are wanted that are not named by themselves. */
#if defined(ACRE_NO_SHORT_NAMES)
#define ACRE_SHORT_ 0
#else
#define ACRE_SHORT_ 1
#endif

#if !defined(ACRE_NO_sameregion) && (ACRE_SHORT_ || defined(ACRE_USE_sameregion))
#define sameregion ACRE_SAMEREGION
#endif
#if !defined(ACRE_NO_parentptr) && (ACRE_SHORT_ || defined(ACRE_USE_parentptr))
#define parentptr ACRE_PARENTPTR
#endif
#if !defined(ACRE_NO_traditional) && (ACRE_SHORT_ || defined(ACRE_USE_traditional))
#define traditional ACRE_TRADITIONAL
#endif
#if !defined(ACRE_NO_deletes) && (ACRE_SHORT_ || defined(ACRE_USE_deletes))
#define deletes ACRE_DELETES
#endif
#if !defined(ACRE_NO_inregion) && (ACRE_SHORT_ || defined(ACRE_USE_inregion))
#define inregion(region) ACRE_INREGION(region)
#endif
#if !defined(ACRE_NO_inparent) && (ACRE_SHORT_ || defined(ACRE_USE_inparent))
#define inparent(region) ACRE_INPARENT(region)
#endif
#if !defined(ACRE_NO_settled) && (ACRE_SHORT_ || defined(ACRE_USE_settled))
#define settled ACRE_SETTLED
#endif

#endif
