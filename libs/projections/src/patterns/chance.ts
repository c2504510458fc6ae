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

/** The rising factorial a (a + 1) … (a + n - 1), as a logarithm. */
function lnRising(a: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += Math.log(a + i);
  return sum;
}

/**
 * The chances of 0 to n successes where the rate differs from one to the next around `mean`, as a beta distribution with the intra-class
 * correlation `correlation` does: the beta-binomial distribution (J. G. Skellam, J. R. Stat. Soc. B 10(2), 1948).
 */
export function betaBinomial(n: number, mean: number, correlation: number): number[] {
  const size = 1 / correlation - 1;
  const [a, b] = [mean * size, (1 - mean) * size];
  const all = lnRising(size, n);
  return Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(lnChoose(n, k) + lnRising(a, k) + lnRising(b, n - k) - all),
  );
}

/** Independent amounts of one distribution: so many of them, and of each that is not 0 its chance. */
export interface Amounts {
  readonly count: number;
  readonly chances: readonly { readonly amount: number; readonly chance: number }[];
}

/** Beyond, e^(t amount) is no number any more. */
const MAX_TILT = 500;

/**
 * An upper bound of the natural logarithm of the chance that independent amounts sum to `seen` or more: Chernoff's bound, the least
 * e^(-t seen) E[e^(t sum)] over t (H. Chernoff, Ann. Math. Stat. 23(4), 1952). Any t bounds it, so that the search need not be exact.
 */
export function lnBoundOfSum(seen: number, amounts: readonly Amounts[]): number {
  const at = (tilt: number): number =>
    amounts.reduce(
      (total, { count, chances }) =>
        total +
        count *
          Math.log1p(
            chances.reduce((sum, { amount, chance }) => sum + chance * Math.expm1(tilt * amount), 0),
          ),
      -tilt * seen,
    );
  const largest = amounts.reduce((most, { chances }) => Math.max(most, chances.at(-1)?.amount ?? 0), 1);
  let [low, high] = [0, MAX_TILT / largest];
  for (let step = 0; step < 60; step += 1) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(left) < at(right)) high = right;
    else low = left;
  }
  return Math.min(0, at((low + high) / 2));
}

/**
 * The chances of 0, 1, 2 … further votes where each is followed by another with a chance that differs from one to the next around `mean`, as a
 * beta distribution does: the beta-geometric distribution (H. Weinberg and B. Gladen, Biometrics 42(3), 1986). The last is that of `most` or more.
 */
export function betaGeometric(most: number, mean: number, correlation: number): number[] {
  const size = 1 / correlation - 1;
  const a = mean * size;
  const chances: number[] = [];
  let reached = 1;
  for (let k = 0; k < most; k += 1) {
    const goesOn = (a + k) / (size + k);
    chances.push(reached * (1 - goesOn));
    reached *= goesOn;
  }
  return [...chances, reached];
}

const STEPS = 40;

/**
 * Rates that a beta distribution gives, each with the logarithm of its weight: 40 equal steps, each by its upper end, so that the chance of much is not
 * understated.
 */
export function betaSteps(mean: number, correlation: number): { rate: number; lnWeight: number }[] {
  const size = 1 / correlation - 1;
  const [a, b] = [mean * size, (1 - mean) * size];
  const middles = Array.from({ length: STEPS }, (_, step) => (step + 0.5) / STEPS);
  const densities = middles.map((x) => (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
  const all = lnSum(densities);
  return densities.map((density, step) => ({
    rate: Math.min(0.999, (step + 1) / STEPS),
    lnWeight: density - all,
  }));
}

/** The logarithm of a sum whose terms are given by their logarithms. */
export function lnSum(terms: readonly number[]): number {
  const most = Math.max(...terms);
  return most === -Infinity
    ? most
    : most + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - most), 0));
}
