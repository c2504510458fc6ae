import type { Pool } from 'pg';
import { findLinks, readChainTip } from './chain-table.js';
import type { ChainTip } from './event-chain.js';
import { byOrdinal } from './log-heads.js';
import { type Misfit, misfitOfWitness } from './misfits.js';
import { isGenuineHead, type PublicKey, type SignedHead, type HeadWitness } from './signed-head.js';

interface Standing {
  readonly witness: HeadWitness;
  /** The last genuine head that it has. */
  readonly last: SignedHead | undefined;
}

export interface StandingHeads {
  /** Of the witnesses that could be read. */
  readonly standings: readonly Standing[];
  readonly newest: SignedHead | undefined;
  /** The end of the chain, read after the witnesses were. */
  readonly tip: ChainTip;
  readonly unreachable: readonly UnreachableWitness[];
  /** What was signed, and the chain no longer holds. */
  readonly misfit: Misfit | null;
}

interface UnreachableWitness {
  readonly name: string;
  readonly error: unknown;
}

interface Witnessed {
  readonly pool: Pool;
  readonly witnesses: readonly HeadWitness[];
  readonly keys: readonly PublicKey[];
}

/**
 * Whether the chain still holds the last head that each witness has: a row a witness, however long the log is. Asked before anything is signed, so that
 * a changed chain is never given a signature; that all before fits, too, is what `verifyLog` looks after.
 */
export async function standingHeads({ pool, witnesses, keys }: Witnessed): Promise<StandingHeads> {
  const standings: Standing[] = [];
  const unreachable: UnreachableWitness[] = [];
  let misfit: Misfit | null = null;
  for (const witness of witnesses) {
    try {
      const { heads } = await witness.last();
      const known = heads.filter(({ keyId }) => keys.some((key) => key.keyId === keyId));
      const forged = known.find((head) => !keys.some((key) => isGenuineHead(head, key)));
      if (forged) misfit ??= forgedHead(witness, forged);
      standings.push({ witness, last: known.filter((head) => head !== forged).at(-1) });
    } catch (error) {
      unreachable.push({ name: witness.name, error });
    }
  }
  const lasts = standings.flatMap(({ last }) => last ?? []);
  // In this order: what was signed is chained by then.
  const tip = await readChainTip(pool);
  misfit ??= await lostHead(pool, standings, tip);
  return { standings, newest: lasts.toSorted(byOrdinal).at(-1), tip, unreachable, misfit };
}

async function lostHead(pool: Pool, standings: readonly Standing[], tip: ChainTip): Promise<Misfit | null> {
  const links = await findLinks(
    pool,
    standings.flatMap(({ last }) => last?.ordinal ?? []),
  );
  for (const { witness, last } of standings) {
    // After a crash the chain may have to be written again up to what was signed.
    if (!last || last.ordinal > tip.ordinal) continue;
    if (links.get(last.ordinal)?.head.toString('hex') === last.head) continue;
    return misfitOfWitness(
      'rewritten',
      last.ordinal,
      `The chain no longer holds the head signed at ${last.at} for ordinal ${last.ordinal} (${witness.name}): it was changed since.`,
    );
  }
  return null;
}

const forgedHead = ({ name }: Pick<HeadWitness, 'name'>, { ordinal }: SignedHead): Misfit =>
  misfitOfWitness(
    'forged',
    ordinal,
    `The signature of the head of ordinal ${ordinal} does not fit (${name}): it was changed.`,
  );

/** The log or its chain ends before what was signed. */
export const beyondTip = ({ newest, tip }: StandingHeads): Misfit | null =>
  newest && newest.ordinal > tip.ordinal
    ? misfitOfWitness(
        'missing',
        tip.ordinal + 1,
        `The chain ends with ordinal ${tip.ordinal}; a head signed at ${newest.at} reaches to ${newest.ordinal}.`,
      )
    : null;

/** What a witness says of a part of the log. */
export interface WitnessRead {
  readonly witness: Pick<HeadWitness, 'name'>;
  readonly heads: readonly SignedHead[];
}

/**
 * What the witnesses contradict each other in, or the keys. Heads are brought to each of them in order, so that one that has a
 * later head and lacks an earlier one has lost it.
 * @param isDue whether a witness should have the head, whatever else it has; one that has none at all is for `staleWitnesses`
 */
export function witnessFaults(
  reads: readonly WitnessRead[],
  keys: readonly PublicKey[],
  lasts: ReadonlyMap<string, number> = lastsOf(reads),
  isDue: (head: SignedHead) => boolean = () => false,
): Misfit[] {
  const faults: Misfit[] = [];
  const genuine = new Map<string, SignedHead>();
  for (const { witness, heads } of reads) {
    for (const head of heads) {
      const key = keys.find(({ keyId }) => keyId === head.keyId);
      if (!key) faults.push(unknownKey(witness, head));
      else if (isGenuineHead(head, key)) genuine.set(identityOf(head), head);
      else faults.push(forgedHead(witness, head));
    }
  }
  for (const { witness, heads } of reads) {
    const has = new Set(heads.map(identityOf));
    const last = lasts.get(witness.name) ?? 0;
    for (const [identity, head] of genuine)
      if ((head.ordinal < last || (last > 0 && isDue(head))) && !has.has(identity))
        faults.push(lacks(witness, head));
  }
  return firstOfEach(faults);
}

export const lastsOf = (reads: readonly WitnessRead[]): ReadonlyMap<string, number> =>
  new Map(reads.map(({ witness, heads }) => [witness.name, heads.at(-1)?.ordinal ?? 0]));

interface Ages {
  readonly now: Date;
  /** When the chain got its last link, and its ordinal. */
  readonly chained: { readonly ordinal: number; readonly at: Date };
  /** How old what is not signed or not told may be. */
  readonly patienceMs: number;
}

/** Whether each place can be read and is as new as it should be. */
export function staleWitnesses(
  { standings, newest, unreachable }: StandingHeads,
  { now, chained, patienceMs }: Ages,
): Misfit[] {
  const isOld = (at: Date): boolean => now.getTime() - at.getTime() > patienceMs;
  const faults = unreachable.map(({ name }) =>
    misfitOfWitness('witness', 0, `${capital(name)} cannot be read.`),
  );
  if ((newest?.ordinal ?? 0) < chained.ordinal && isOld(chained.at))
    faults.push(
      misfitOfWitness(
        'witness',
        newest?.ordinal ?? 0,
        newest
          ? `No head was signed since ordinal ${newest.ordinal}, and the chain has more.`
          : 'No witness has a signed head, and the chain has events.',
      ),
    );
  for (const { witness, last } of standings)
    if (newest && (last?.ordinal ?? 0) < newest.ordinal && isOld(new Date(newest.at)))
      faults.push(
        last
          ? misfitOfWitness(
              'witness',
              newest.ordinal,
              `${capital(witness.name)} ends with the head of ordinal ${last.ordinal}, and later ones were signed.`,
            )
          : emptyWitness(witness, newest),
      );
  return faults;
}

/** Witnesses without any head while others have some: not a matter of time where somebody asks. */
export const emptyWitnesses = ({ standings, newest }: StandingHeads): Misfit[] =>
  newest ? standings.filter(({ last }) => !last).map(({ witness }) => emptyWitness(witness, newest)) : [];

const emptyWitness = ({ name }: Pick<HeadWitness, 'name'>, newest: SignedHead): Misfit =>
  misfitOfWitness('witness', newest.ordinal, `${capital(name)} has no signed head, and others have.`);

const identityOf = ({ ordinal, keyId, head }: SignedHead): string => `${ordinal} ${keyId} ${head}`;

const unknownKey = ({ name }: Pick<HeadWitness, 'name'>, { ordinal, keyId }: SignedHead): Misfit =>
  misfitOfWitness(
    'witness',
    ordinal,
    `${capital(name)} has heads of the key ${keyId}, which is not known here (the first of ordinal ${ordinal}).`,
  );

const lacks = ({ name }: Pick<HeadWitness, 'name'>, { ordinal, at }: SignedHead): Misfit =>
  misfitOfWitness(
    'witness',
    ordinal,
    `${capital(name)} lacks the head of ordinal ${ordinal}, signed at ${at}.`,
  );

const capital = (name: string): string => (name.startsWith('the ') ? `T${name.slice(1)}` : name);

/** Thousands of heads can be wrong in one way; the first tells. */
function firstOfEach(faults: readonly Misfit[]): Misfit[] {
  const kinds = new Map<string, Misfit>();
  for (const fault of faults) {
    const way = fault.detail.replace(/ordinal \d+/g, '').replace(/signed at .*/, '');
    if (!kinds.has(way)) kinds.set(way, fault);
  }
  return [...kinds.values()];
}
