/** The first `count` of the items in the order given, without sorting all of them. */
export function bestOf<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const best: T[] = [];
  for (const item of items) {
    const last = best.at(-1);
    if (best.length === count && last !== undefined && compare(item, last) >= 0) continue;
    let low = 0;
    for (let high = best.length; low < high;) {
      const middle = (low + high) >> 1;
      const other = best[middle];
      if (other !== undefined && compare(other, item) <= 0) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, item);
    if (best.length > count) best.pop();
  }
  return best;
}
