// Nested environments, each in a region of its own below that of the one around it, with parent pointers; and a
// declaration found in any of them, kept in a field of which nothing is known.
struct decl[p] {
  next : exists q / q = top | q = p . decl[q]@q
}

struct env[p] {
  outer : exists q / p <= q . env[q]@q,
  decls : exists q / q = top | q = p . decl[q]@q,
  found : exists q . decl[q]@q
}

enter[pr, pouter] / true (r : region@pr, outer : env[pouter]@pouter) : exists q . env[q]@q, true
is [pe, pd, pn]
  e : env[pe]@pe, d : decl[pd]@pd, none : env[pn]@pn, nothing : decl[pn]@pn,
{
  none = null;
  nothing = null;
  e = new env[pr](none, nothing, nothing)@r;
  d = new decl[pr](nothing)@r;
  chk pd = top | pd = pe;
  e.decls = d;
  chk pe <= pouter;
  e.outer = outer
}, e

// The first declaration of this environment or of one around it.
lookup[pe] / true (e : env[pe]@pe) : exists q . decl[q]@q, true
is [pi, po, pd]
  i : env[pi]@pi, o : env[po]@po, d : decl[pd]@pd,
{
  d = null;
  i = e;
  while i {
    d = i.decls;
    o = i.outer;
    if * { i = o } { i = null }
  }
}, d

main[] / true () : region@top, true
is [pr, ps, pe, pf, pd]
  r : region@pr, s : region@ps, e : env[pe]@pe, f : env[pf]@pf, d : decl[pd]@pd, done : region@top,
{
  e = null;
  r = newregion[]();
  f = enter[pr, pe](r, e);
  s = newsubregion[pr](r);
  e = enter[ps, pf](s, f);
  d = lookup[pe](e);
  e.found = d;
  d = null;
  e = null;
  f = null;
  done = deleteregion[ps](s);
  done = deleteregion[pr](r)
}, done
