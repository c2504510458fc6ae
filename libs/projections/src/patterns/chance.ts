/** Stirling's series, exact to ten digits from ten on; below, the product itself. */
function lnFactorial(n: number): number {
  if (n < 10) {
    let product = 1;
    for (let factor = 2; factor <= n; factor += 1) product *= factor;
    return Math.log(product);
  }
  const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}

/** The natural logarithm of how many groups of k there are among n. */
export const lnChoose = (n: number, k: number): number =>
  lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k);

/** Votes as balls in an urn: `marked` of `all` went to one author, and one voter drew `drawn` of them. */
export interface Urn {
  readonly all: number;
  readonly marked: number;
  readonly drawn: number;
}

/** How many of so many draws would be marked if they fell as all others did, without the `seen` marked ones among the drawn. */
export function expectedAmong(draws: number, seen: number, { all, marked, drawn }: Urn): number {
  const others = all - drawn;
  return others > 0 ? (draws * (marked - seen)) / others : 0;
}

/**
 * The natural logarithm of the chance of `seen` marked balls or more: the upper tail of the hypergeometric distribution, which
 * is Fisher's exact test of one side. As a logarithm, because chances of 10^-400 are met and must be told apart from 0.
 */
export function lnChanceOfAtLeast(seen: number, { all, marked, drawn }: Urn): number {
  const least = Math.max(0, drawn + marked - all);
  if (seen <= least) return 0;
  const most = Math.min(drawn, marked);
  if (seen > most) return -Infinity;
  const first = lnChoose(marked, seen) + lnChoose(all - marked, drawn - seen) - lnChoose(all, drawn);
  let [term, sum] = [1, 1];
  for (let x = seen; x < most; x += 1) {
    term *= ((marked - x) * (drawn - x)) / ((x + 1) * (all - marked - drawn + x + 1));
    sum += term;
    if (term < sum * 1e-12) break;
  }
  return Math.min(0, first + Math.log(sum));
}

/**
 * The chance that two independent tests together are as far out as these (Fisher's method of combining): under chance alone the
 * product of both is at most x with probability x(1 - ln x).
 */
export function lnCombined(lnOne: number, lnOther: number): number {
  const product = lnOne + lnOther;
  return product === -Infinity ? product : Math.min(0, product + Math.log1p(-product));
}
