import type { Pool } from 'pg';
import { findLinks, readChainTip } from './chain-table.js';
import type { ChainTip } from './event-chain.js';
import { byOrdinal, type HeadWitness } from './head-witness.js';
import { type Misfit, misfitOfWitness } from './misfit.js';
import { isGenuineHead, type SignedHead } from './signed-head.js';
import type { PublicKey } from './signing-key.js';

export interface Standing {
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

export interface UnreachableWitness {
  readonly name: string;
  readonly error: unknown;
}

export interface Witnessed {
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

export const forgedHead = ({ name }: Pick<HeadWitness, 'name'>, { ordinal }: SignedHead): Misfit =>
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
