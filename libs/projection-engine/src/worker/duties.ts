/**
 * What stays in one process, however many there are: a tick is one transaction for all whom a caller may wait for, another for those who
 * linger, and one reader goes along the log for all that is built. Split further, each vote would pay for more of them.
 */
export const DUTIES = ['prompt', 'lingering', 'building'] as const;
export type Duty = (typeof DUTIES)[number];

/** How much of a process each takes. What callers wait for should have one to itself. */
const WEIGHTS: Readonly<Record<Duty, number>> = { prompt: 3, lingering: 2, building: 1 };

export interface Led {
  readonly status: string;
  readonly lingers: boolean;
  /** Undefined where nobody who works now leads it. */
  readonly worker: string | undefined;
}

export const dutyOf = ({ status, lingers }: Pick<Led, 'status' | 'lingers'>): Duty =>
  status === 'live' ? (lingers ? 'lingering' : 'prompt') : 'building';

/** Who has a duty now: of several who lead parts of it, the one with the most. */
export function holdersOf(led: readonly Led[], workers: readonly string[]): ReadonlyMap<Duty, string> {
  const holders = new Map<Duty, string>();
  for (const duty of DUTIES) {
    const owners = led.filter((one) => dutyOf(one) === duty).map(({ worker }) => worker);
    const shares = workers.map((worker) => owners.filter((owner) => owner === worker).length);
    const most = Math.max(0, ...shares);
    const holder = workers[shares.indexOf(most)];
    if (holder !== undefined && most > 0) holders.set(duty, holder);
  }
  return holders;
}

/**
 * Who is to have which duty. Every process finds the same from the same rows, and what was planned once is planned again, so that nothing
 * goes to and fro: a duty moves when somebody came or went, and then as few as evens out the load.
 * @param workers in the order in which they came
 */
export function planDuties(
  workers: readonly string[],
  holders: ReadonlyMap<Duty, string>,
): ReadonlyMap<Duty, string> {
  const plan = new Map([...holders].filter(([, holder]) => workers.includes(holder)));
  const loadOf = (worker: string): number =>
    DUTIES.reduce((load, duty) => load + (plan.get(duty) === worker ? WEIGHTS[duty] : 0), 0);
  const idlest = (): string | undefined => workers.toSorted((one, other) => loadOf(one) - loadOf(other))[0];
  for (const duty of DUTIES) {
    const worker = idlest();
    if (worker !== undefined && !plan.has(duty)) plan.set(duty, worker);
  }
  // What callers wait for is never moved without need; what is being built ends by itself, and has its rows in memory.
  const [holder, other] = [plan.get('lingering'), idlest()];
  if (holder !== undefined && other !== undefined && loadOf(holder) - loadOf(other) > WEIGHTS.lingering)
    plan.set('lingering', other);
  return plan;
}
