# SPDX-License-Identifier: MIT
# Words of a text: how often each occurs, what follows it, and the longest lines by length; sorted
# by this program itself.
{
  lines[NR] = $0
  for (i = 1; i <= NF; i++) {
    word = tolower($i)
    gsub(/[^a-z0-9]/, "", word)
    count[word]++
    if (i > 1)
      follows[last][word]++
    last = word
  }
}

function sort(keys, low, high,    i, j, pivot, kept) {
  if (low >= high)
    return
  pivot = keys[int((low + high) / 2)]
  i = low
  j = high
  while (i <= j) {
    while (count[keys[i]] > count[pivot] || (count[keys[i]] == count[pivot] && keys[i] < pivot)) i++
    while (count[keys[j]] < count[pivot] || (count[keys[j]] == count[pivot] && keys[j] > pivot)) j--
    if (i <= j) {
      kept = keys[i]; keys[i++] = keys[j]; keys[j--] = kept
    }
  }
  sort(keys, low, j)
  sort(keys, i, high)
}

END {
  for (word in count)
    keys[++n] = word
  sort(keys, 1, n)
  for (i = 1; i <= 20 && i <= n; i++) {
    best = ""
    for (next_word in follows[keys[i]])
      if (best == "" || follows[keys[i]][next_word] > follows[keys[i]][best] ||
          (follows[keys[i]][next_word] == follows[keys[i]][best] && next_word < best))
        best = next_word
    print keys[i], count[keys[i]], best
  }
  for (i = NR; i > 0; i--)
    total = (total * 7 + length(lines[i])) % 1000003
  print n, NR, total
}
