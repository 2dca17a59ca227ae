// A constructor as in the paper's section 5.2: whether its check is needed depends on every call.  Here all callers are
// known, and each passes null or an object of the region.
struct list[p] {
  next : exists q / q = top | q = p . list[q]@q
}

new_list[pr, pnext] / true (r : region@pr, next : list[pnext]@pnext) : exists q . list[q]@q, true
is [pnew, pnone]
  made : list[pnew]@pnew, none : list[pnone]@pnone,
{
  none = null;
  made = new list[pr](none)@r;
  chk pnext = top | pnext = pnew;
  made.next = next
}, made

main[] / true () : region@top, true
is [pr, pfirst, pnew]
  r : region@pr, first : list[pfirst]@pfirst, made : list[pnew]@pnew, done : region@top,
{
  first = null;
  r = newregion[]();
  while * {
    made = new_list[pr, pfirst](r, first);
    first = made
  }
  first = null;
  done = deleteregion[pr](r)
}, done
