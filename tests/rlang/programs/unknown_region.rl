// An object out of a field of which nothing is known becomes part of a list, unchecked: rejected.
struct list[p] {
  next : exists q / q = top | q = p . list[q]@q,
  any : exists q . list[q]@q
}

append[pa] / true (a : list[pa]@pa) : region@top, true
is [pb]
  b : list[pb]@pb, done : region@top,
{
  b = a.any;
  a.next = b;
  done = null
}, done
