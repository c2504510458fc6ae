/** Natural logarithm of n!. Stirling's series is exact to ten digits from 10 on. */
function lnFactorial(n: number): number {
  if (n < 10) {
    let product = 1;
    for (let factor = 2; factor <= n; factor += 1) product *= factor;
    return Math.log(product);
  }
  const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}

/** Natural logarithm of the binomial coefficient. */
export const lnChoose = (n: number, k: number): number =>
  lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k);

/** Votes as balls in an urn: `marked` of `all` votes went to one author, and one voter gave `drawn` of them. */
export interface Urn {
  readonly all: number;
  readonly marked: number;
  readonly drawn: number;
}

/** Expected marked balls in `draws` draws, at the rate outside of the voter's own draws, of which `observed` are marked. */
export function expectedAmong(draws: number, observed: number, { all, marked, drawn }: Urn): number {
  const others = all - drawn;
  return others > 0 ? (draws * (marked - observed)) / others : 0;
}

/**
 * Natural logarithm of the probability of `observed` or more marked balls: the upper tail of the hypergeometric distribution (one-sided
 * Fisher's exact test). A logarithm, because probabilities around 10^-400 occur and must stay distinct from 0.
 */
export function lnChanceOfAtLeast(observed: number, { all, marked, drawn }: Urn): number {
  const min = Math.max(0, drawn + marked - all);
  if (observed <= min) return 0;
  const max = Math.min(drawn, marked);
  if (observed > max) return -Infinity;
  const first = lnChoose(marked, observed) + lnChoose(all - marked, drawn - observed) - lnChoose(all, drawn);
  let [term, sum] = [1, 1];
  for (let x = observed; x < max; x += 1) {
    term *= ((marked - x) * (drawn - x)) / ((x + 1) * (all - marked - drawn + x + 1));
    sum += term;
    if (term < sum * 1e-12) break;
  }
  return Math.min(0, first + Math.log(sum));
}

/**
 * Combines k independent tests by Fisher's method (R. A. Fisher, Statistical Methods for Research Workers, 1932): the product of their
 * probabilities is at most x with probability x times the sum of (-ln x)^i / i! over i below k.
 */
export function lnCombined(...lnChances: readonly number[]): number {
  const product = lnChances.reduce((sum, lnChance) => sum + lnChance, 0);
  if (product === -Infinity) return product;
  let [term, sum] = [1, 1];
  for (let i = 1; i < lnChances.length; i += 1) {
    term *= -product / i;
    sum += term;
  }
  return Math.min(0, product + Math.log(sum));
}

/** Logarithm of the rising factorial a (a + 1) … (a + n - 1). */
function lnRising(a: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += Math.log(a + i);
  return sum;
}

/**
 * Probabilities of 0 to n successes under the beta-binomial distribution (J. G. Skellam, J. R. Stat. Soc. B 10(2), 1948).
 *
 * @param correlation intra-class correlation of the beta-distributed rate
 */
export function betaBinomial(n: number, mean: number, correlation: number): number[] {
  const size = 1 / correlation - 1;
  const [a, b] = [mean * size, (1 - mean) * size];
  const all = lnRising(size, n);
  return Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(lnChoose(n, k) + lnRising(a, k) + lnRising(b, n - k) - all),
  );
}

/** `count` independent amounts with the same distribution. `chances` lists the non-zero amounts. */
export interface Amounts {
  readonly count: number;
  readonly chances: readonly { readonly amount: number; readonly chance: number }[];
}

/** Beyond this, e^(t amount) overflows. */
const MAX_TILT = 500;

/**
 * Upper bound of the natural logarithm of the probability that independent amounts sum to `observed` or more: Chernoff's bound, the minimum
 * of e^(-t observed) E[e^(t sum)] over t (H. Chernoff, Ann. Math. Stat. 23(4), 1952). Every t is a bound, so the search need not be exact.
 */
export function lnBoundOfSum(observed: number, amounts: readonly Amounts[]): number {
  const at = (tilt: number): number =>
    amounts.reduce(
      (total, { count, chances }) =>
        total +
        count *
          Math.log1p(
            chances.reduce((sum, { amount, chance }) => sum + chance * Math.expm1(tilt * amount), 0),
          ),
      -tilt * observed,
    );
  const largest = amounts.reduce((max, { chances }) => Math.max(max, chances.at(-1)?.amount ?? 0), 1);
  let [low, high] = [0, MAX_TILT / largest];
  for (let step = 0; step < 60; step += 1) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(left) < at(right)) high = right;
    else low = left;
  }
  return Math.min(0, at((low + high) / 2));
}

/**
 * Probabilities of 0, 1, 2 … further votes under the beta-geometric distribution (H. Weinberg and B. Gladen, Biometrics 42(3), 1986).
 * The last entry is the probability of `max` or more.
 */
export function betaGeometric(max: number, mean: number, correlation: number): number[] {
  const size = 1 / correlation - 1;
  const a = mean * size;
  const chances: number[] = [];
  let reached = 1;
  for (let k = 0; k < max; k += 1) {
    const continues = (a + k) / (size + k);
    chances.push(reached * (1 - continues));
    reached *= continues;
  }
  return [...chances, reached];
}

const STEPS = 40;

/** Discretised beta distribution: rates in 40 equal steps with the logarithm of their weights. Upper ends, to stay conservative. */
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

/** Logarithm of a sum of terms given as logarithms. */
export function lnSum(terms: readonly number[]): number {
  const max = Math.max(...terms);
  return max === -Infinity ? max : max + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - max), 0));
}
