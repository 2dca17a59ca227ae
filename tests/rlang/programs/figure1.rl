// The loop of the paper's Figure 1: a list and its contents in one region, then the region deleted.
// Every property is true; inference finds what makes both checks needless.
struct finfo[p] {}

struct rlist[p] {
  next : exists q / q = top | q = p . rlist[q]@q,
  data : exists q / q = top | q = p . finfo[q]@q
}

output_rlist[pl] / true (l : rlist[pl]@pl) : region@top, true
is [pi, pn]
  done : region@top, i : rlist[pi]@pi, n : rlist[pn]@pn,
{
  i = l;
  while i {
    n = i.next;
    i = n
  };
  done = null
}, done

main[] / true () : region@top, true
is [pr, prl, plast, pd, pnone]
  r : region@pr, rl : rlist[prl]@prl, last : rlist[plast]@plast, d : finfo[pd]@pd,
  none : rlist[pnone]@pnone, nothing : finfo[pnone]@pnone, done : region@top,
{
  last = null;
  r = newregion[]();
  while * {
    none = null;
    nothing = null;
    rl = new rlist[pr](none, nothing)@r;
    d = new finfo[pr]()@r;
    chk pd = top | pd = prl;
    rl.data = d;
    chk plast = top | plast = prl;
    rl.next = last;
    last = rl
  }
  done = output_rlist[plast](last);
  done = deleteregion[pr](r)
}, done
