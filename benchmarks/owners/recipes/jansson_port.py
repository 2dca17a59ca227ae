# SPDX-License-Identifier: MIT
"""jansson, ported: a new reference, as its manual calls it, is an owner, and what it calls stolen
is given away.  Its own counts stay: where one reaches zero, the object is taken back by a cast.

Left plain: the elements of an array, since memmove shifts them and they move to larger tables by
memcpy; the pairs of a hash table while they are in its lists, which are circular and run through
the pairs; the table and the text of a value, which is reached by container_of and has several
holders; a text of read_string, which is the caller's or not as a flag says; the value of
hashtable_set, which the caller keeps if that fails; the functions that allocate and free, which
programs can set.  The package's tests and the load are compiled without words.
"""

import re

FILES = ()
KINDS = ("src/*.[ch]",)

SOURCES = (
    *("src/jansson.h", "src/jansson_private.h", "src/hashtable.h", "src/strbuffer.h"),
    *("src/utf.h", "src/dump.c", "src/hashtable.c", "src/load.c", "src/memory.c"),
    *("src/pack_unpack.c", "src/strbuffer.c", "src/utf.c", "src/value.c"),
)
# Declarations and definitions: the type of the result, the name, the parameters.
HEAD = r"^((?:static |const |JSON_INLINE )*\w+ \**)\b(\w+)(\((?:[^()]|\([^()]*\))*\))(?=\s*[{;J])"
NEW = (
    r"json_(?:object|array|string|stringn|string_nocheck|stringn_nocheck|integer|real|true|false"
    r"|null|v?pack(?:_ex)?|v?sprintf|copy|deep_copy|load\w+|incref|object_copy|array_copy"
    r"|object_deep_copy|array_deep_copy|string_copy|integer_copy|real_copy)|do_deep_copy"
    r"|jsonp_(?:malloc|strdup|strndup|stringn_nocheck_own)|string_create|strbuffer_steal_value"
    r"|lex_steal_string|parse_\w+|pack(?:_\w+)?|json_dumps"
)
RESULTS = (
    (NEW, "unique"),
    (r"(?:json_object|json_array)_getn?|strbuffer_value", "borrowed"),
)
LENT = (
    r"json_(?:object_(?:set|setn)_new_nocheck|array_append_new|real_set|\w+_getn?)"
    r"|strbuffer_(?:append_bytes|close|value|steal_value)"
)
PARAMETERS = (
    (r"json_decref", "json", "unique"),
    (
        r"json_\w+_(?:set|setn|append|insert)_new(?:_nocheck)?|hashtable_iter_set",
        "value",
        "unique",
    ),
    (r"json_\w+_new", "other", "unique"),
    (r"jsonp_free", "ptr", "unique"),
    (r"strbuffer_init", "strbuff", "acre_out borrowed"),
    (r"json_object_(?:getn|setn_new_nocheck)|hashtable_[gs]et", "key", "borrowed"),
    (r"utf8_check_string", "string", "borrowed"),
    (r"jsonp_stringn_nocheck_own", "value", "unique"),
    (LENT, r"(?<=json_t \*)\w+|(?<=strbuffer_t \*)\w+", "borrowed"),
)
FIELDS = (
    ("strbuffer.h", "strbuffer_t", "value"),
    ("hashtable.h", "struct hashtable", "buckets"),
    ("hashtable.h", "struct hashtable_pair", "value"),
    ("jansson_private.h", "json_string_t", "value"),
)
RULES = {
    "CMakeLists.txt": (
        (
            r"^( +)(add_executable\(\$\{name\} .*)",
            r"\1\2\n\1target_compile_options(${name} PRIVATE -fno-acre)",
        ),
    ),
    "src/jansson_private.h": (
        (r"^(    json_t \*\*)(table;)", r"\1unique \2"),
        (r"^(    \(\(type_ \*\)\(\(char \*\))ptr_", r"\1acre_unowned(ptr_)"),
    ),
    "src/jansson.h": (
        (r'^(#include "jansson_config\.h")$', r"#include <acre/own.h>\n\1"),
        ("^(    return )json;", r"\1(json_t *unique)acre_unowned(json);"),
        (
            r"^(        json_delete\()json\);",
            r"\1acre_release(json));\n    else\n        acre_release(json);",
        ),
        (r"^(    int ret = json_object_update\w*\(object, )other", r"\1acre_unowned(other)", 3),
        (r"^(static JSON_INLINE void json_decrefp\(json_t \*)\*", r"\1unique *"),
        (r"^(        json_decref\()\*json\);\n        \*json = NULL;", r"\1acre_take(json));"),
    ),
    "src/utf.h": (
        (r"^(#include <stddef\.h>)", r"#include <acre/own.h>\n\1"),
    ),
    "src/memory.c": (
        (r"(?=\(\*do_malloc)", "(void *unique)"),
        (r"(\(\*do_free\)\()ptr", r"\1acre_release(ptr)"),
        (r"^(    char \*)new_str;", r"\1unique new_str;"),
    ),
    "src/strbuffer.c": (
        (
            r"jsonp_free\(strbuff->value\);(?=\n\n    strbuff->size)",
            "jsonp_free(acre_take(&strbuff->value));",
        ),
        (
            r"^(    char \*)(result = )strbuff->value;\n    strbuff->value = NULL;",
            r"\1unique \2acre_take(&strbuff->value);",
        ),
        (r"^(        char \*)(new_value;)", r"\1unique \2"),
        (
            r"^(        jsonp_free\()strbuff->value\);\n        strbuff->value = new_value;",
            r"\1acre_swap(&strbuff->value, new_value));",
        ),
    ),
    "src/hashtable.c": (
        (
            r"^(    jsonp_free\()(hashtable->buckets)\);\n    hashtable->buckets ="
            " new_buckets;",
            r"\1acre_swap(&\2, new_buckets));",
        ),
        (r"^(    jsonp_free\()(hashtable->buckets)\);", r"\1acre_take(&\2));"),
        (r"^(    struct hashtable_bucket \*)(new_buckets;)", r"\1unique \2"),
        (
            r"\bjson_decref\((pair->value)\);\n(\s*)\1 = value;\n    }",
            r"json_decref(acre_swap(&\1, (json_t *unique)value));\n    }",
        ),
        (
            r"\bjson_decref\((pair->value)\);\n(\s*)\1 = value;\n}",
            r"json_decref(acre_swap(&\1, value));\n}",
        ),
        ("^(    pair->value = )value;", r"\1(json_t *unique)value;"),
        (r"^(    list_init\()(&pair->\w+)", r"\1acre_unowned(\2)", 2),
        (r"^(    return )pair;\n\}\n\nint", r"\1acre_release(pair);\n}\n\nint"),
        (r"^(#define hash_str.*hashlittle\(\()key", r"\1acre_unowned(key)"),
        (
            r"\b(bucket = )(&hashtable->buckets\[index\]);\n(?=    pair ="
            r" hashtable_find_pair\(.*\);\n\n    if \(pair)",
            r"\1acre_unowned(\2);\n",
        ),
        (r"\bjson_decref\((pair->value)\);", r"json_decref(acre_take(&\1));", 2),
        (r"\bjsonp_free\(pair\)", "jsonp_free((pair_t *unique)pair)", 2),
        (r"^(    pair_t \*)(pair;\n\n    /\* offsetof)", r"\1unique \2"),
        ("^(    return )pair->value;", r"\1acre_unowned(pair->value);", 2),
    ),
    "src/load.c": (
        (r"^(            char \*)(val;)", r"\1unique \2"),
        (
            r"^(    jsonp_free\()(lex->value.string.val)\);\n    lex->value.string.val ="
            " NULL;",
            r"\1acre_take(&\2));",
        ),
        (r"^( +json_t \*)(?=(?:result|object|array|elem|json|value)\b)", r"\1unique ", 12),
        (r"^( +char \*)(?=key;)", r"\1unique "),
        (
            r"^    t = (jsonp_malloc.*\n)    if \(!t\)",
            r"    lex->value.string.val = \1    if (!lex->value.string.val)",
        ),
        ("^    lex->value.string.val = t;", "    t = acre_unowned(lex->value.string.val);"),
        (
            r"^(static void error_set\((?:[^)]|\n)*\))(?= \{)",
            r"\1 __attribute__((format(printf, 4, 5)));\n\1",
        ),
        (r"^(    char \*)(result = NULL;)", r"\1unique \2"),
        (
            r"^(        result = )(lex->value.string.val);\n(.*\n)        \2 = NULL;",
            r"\1acre_take(&\2);\n\3",
        ),
        (
            r"^(    )(lex->value.string.val) = NULL;\n(    lex->token)",
            r"\1acre_release(acre_take(&\2));\n\3",
        ),
        (r"^(        if \(!key\)\n            )return NULL;", r"\1goto error;"),
        (
            r"^(            json = jsonp_stringn_nocheck_own\()value(, len\);\n)           "
            r" (lex->value.string.val) = NULL;\n",
            r"\1acre_take(&\3)\2",
        ),
        (r"^(    p = )(strbuffer_value\(&lex->saved_text\))", r"\1acre_unowned(\2)"),
    ),
    "src/pack_unpack.c": (
        (r"^( +json_t \*)(?!\*|value;\s+(?:int opt|long|if \(strict)|json;)", r"\1unique ", 9),
        (r"^(    return )(strbuffer_steal_value\(&strbuff\));", r"\1acre_release(\2);"),
        (r"\bjsonp_free\(key\)", "jsonp_free((char *unique)key)", 2),
        (r"^(        return jsonp_stringn_nocheck_own\()str", r"\1(char *unique)str"),
        (
            r"^(            json_decref\(value\);\n)\n        if \(!s->has_error && ",
            r"\1        else if (",
            2,
        ),
        ("^(        return need_incref .* : )", r"\1(json_t *unique)"),
        (r"^(.*hashtable_set\(.*, )(json_null\(\))\)", r"\1acre_release(\2))"),
        (r"^( +)(json_incref\(root\));", r"\1acre_release(\2);"),
        ("^( +strbuffer_t unrecognized_keys);", r"\1 = {0};"),
        (r"^( +if \(keys_res == 1)\)", r"\1 && !unrecognized_keys.value)"),
        (r"(strbuffer_value\(&unrecognized_keys\))", r"acre_unowned(\1)"),
    ),
    "src/dump.c": (
        (r"^( +(?:struct key_len|char) \*)(?=keys;|result;)", r"\1unique ", 2),
        (r"(jsonp_strdup\()(strbuffer_value\(&strbuff\))", r"\1acre_unowned(\2)"),
    ),
    "src/value.c": (
        (r"(hashtable_set\(parents, .*, )(json_null\(\))\)", r"\1acre_release(\2))"),
        (r"^( +json_\w+_t \*)(?=\w+ = jsonp_malloc|real;)", r"\1unique ", 4),
        (r"^(    return )(&)(\w+)(->json;)", r"\1(json_t *unique)\2acre_release(\3)\4", 5),
        (r"^(static void json_delete_\w+\(json_\w+_t \*)", r"\1unique ", 5),
        (r"^( +json_delete_(\w+)\()(?=json_to)", r"\1(json_\2_t *unique)", 5),
        (r"^( +json_t \*)(?=result;|res;|json = NULL)", r"\1unique ", 7),
        (r"(hashtable_set\(&object.*, )value\)", r"\1acre_unowned(value))"),
        (r"^(    return )(&the_\w+;)", r"\1(json_t *unique)\2", 3),
        (r"\b(json_decref\()(array->table\[\w+\])", r"\1(json_t *unique)\2", 4),
        (r"^(    array->table\[[^]]+\] = )value;", r"\1acre_release(value);", 3),
        (r"^(    jsonp_free\()(array->table|string->value)\)", r"\1acre_take(&\2))", 3),
        (r"^(    return )(hashtable_get\(&object.*\));", r"\1acre_unowned(\2);"),
        (r"(acre_unowned\(value\)\)\) \{\n.*\n.*\n    \})\n", r"\1\n    acre_release(value);\n"),
        (
            r"^        return array->table;\n\n    old_table = array->table;\n",
            r"        return acre_unowned(array->table);\n\n",
        ),
        (r"^(    json_t \*\*old_table, \*\*)(?=new_table)", r"\1unique "),
        (
            "^    array->table = new_table;",
            "    old_table = acre_release(acre_swap(&array->table, new_table));",
        ),
        (r"^(        jsonp_free\()(old_table)", r"\1(json_t **unique)\2", 2),
        ("^(        return )array->table;", r"\1acre_unowned(array->table);"),
        (r"^(        )(json_incref\(other->table\[i\]\));", r"\1acre_release(\2);"),
        (r"^(    char \*)(?=v;|dup;|buf;)", r"\1unique ", 3),
        (r"^(        v = \(char \*)\)", r"\1unique)"),
        (r"^(    json_string_t \*)(?=string;\n\n    if \(!value\)\n)", r"\1unique "),
        (
            r"^    jsonp_free\(acre_take\(&string->value\)\);\n    string->value = dup;",
            "    jsonp_free(acre_swap(&string->value, dup));",
        ),
        (r"^(    return string_create\()value(, len, 1\))", r"\1acre_release(value)\2"),
        (r"^(    return )(json_to_string\(json\)->value);", r"\1acre_unowned(\2);"),
        (r"^(    return json_stringn_nocheck\()s->value", r"\1acre_unowned(s->value)"),
        ("^(            return )json;", r"\1(json_t *unique)json;"),
        (r"^(            return \(json_t \*)\)json;", r"\1unique)json;"),
        (r"(hashtable_(?:init|close)\()(&object->hashtable)", r"\1acre_unowned(\2)", 2),
    ),
}


def signature(found, said):
    """A declaration with its words.  said: the functions whose words stand before it."""
    head, function, parameters = found.groups()
    if function in said:
        return found[0]
    said.add(function)
    if "*" in head:
        for functions, word in RESULTS:
            if re.fullmatch(functions, function):
                head += word + " "
    for functions, names, word in PARAMETERS:
        if re.fullmatch(functions, function):
            parameters = re.sub(
                rf"(\b(?!FILE|va_list)\w+ \*)({names})\b(?=[,)])", rf"\1{word} \2", parameters
            )
    return head + function + parameters


def port(tree):
    public = set()
    for name in SOURCES:
        said = public if name.endswith(".h") else set(public)
        text = re.sub(HEAD, lambda found: signature(found, said), tree.read(name), flags=re.M)
        tree.write(name, text)
    for name, record, fields in FIELDS:
        tree.annotate("src/" + name, record, {"unique": fields})
    tree.replace_all(RULES)
