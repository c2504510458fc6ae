import type { Pool } from 'pg';
import { findLinks, readChainTip } from './chain-table.js';
import type { ChainTip } from './event-chain.js';
import { byOrdinal } from './log-heads.js';
import { type Mismatch, generalMismatch } from './mismatches.js';
import { isGenuineHead, type PublicKey, type SignedHead, type ExternalCheckpoint } from './signed-head.js';

interface CheckpointStatus {
  readonly checkpoint: ExternalCheckpoint;
  /** Its last genuine head. */
  readonly last: SignedHead | undefined;
}

export interface CheckpointState {
  /** The checkpoints that could be read. */
  readonly checkpoints: readonly CheckpointStatus[];
  readonly newest: SignedHead | undefined;
  /** Chain tip, read after the checkpoints. */
  readonly tip: ChainTip;
  readonly unreachable: readonly UnreachableCheckpoint[];
  /** A signed head that is forged or no longer matches the chain. */
  readonly mismatch: Mismatch | null;
}

interface UnreachableCheckpoint {
  readonly name: string;
  readonly error: unknown;
}

interface ReadStateOptions {
  readonly pool: Pool;
  readonly externalCheckpoints: readonly ExternalCheckpoint[];
  readonly keys: readonly PublicKey[];
}

/**
 * Checks the chain against the last head of each external checkpoint, with one row per checkpoint. Runs before each signature, so that a
 * changed chain is never signed. `verifyLog` checks the rest.
 */
export async function readCheckpointState({
  pool,
  externalCheckpoints,
  keys,
}: ReadStateOptions): Promise<CheckpointState> {
  const checkpoints: CheckpointStatus[] = [];
  const unreachable: UnreachableCheckpoint[] = [];
  let mismatch: Mismatch | null = null;
  for (const checkpoint of externalCheckpoints) {
    try {
      const { heads } = await checkpoint.last();
      const known = heads.filter(({ keyId }) => keys.some((key) => key.keyId === keyId));
      const forged = known.find((head) => !keys.some((key) => isGenuineHead(head, key)));
      if (forged) mismatch ??= forgedHead(checkpoint, forged);
      checkpoints.push({ checkpoint, last: known.filter((head) => head !== forged).at(-1) });
    } catch (error) {
      unreachable.push({ name: checkpoint.name, error });
    }
  }
  const lastHeads = checkpoints.flatMap(({ last }) => last ?? []);
  // In this order, so that every signed head is covered by the chain.
  const tip = await readChainTip(pool);
  mismatch ??= await mismatchWithHeads(pool, checkpoints, tip);
  return { checkpoints, newest: lastHeads.toSorted(byOrdinal).at(-1), tip, unreachable, mismatch };
}

async function mismatchWithHeads(
  pool: Pool,
  checkpoints: readonly CheckpointStatus[],
  tip: ChainTip,
): Promise<Mismatch | null> {
  const links = await findLinks(
    pool,
    checkpoints.flatMap(({ last }) => last?.ordinal ?? []),
  );
  for (const { checkpoint, last } of checkpoints) {
    // After a crash the chain may have to be rewritten up to the signed head.
    if (!last || last.ordinal > tip.ordinal) continue;
    if (links.get(last.ordinal)?.head.toString('hex') === last.head) continue;
    return generalMismatch(
      'rewritten',
      last.ordinal,
      `The chain no longer matches the head signed at ${last.at} for ordinal ${last.ordinal} (${checkpoint.name}): it was changed.`,
    );
  }
  return null;
}

const forgedHead = ({ name }: Pick<ExternalCheckpoint, 'name'>, { ordinal }: SignedHead): Mismatch =>
  generalMismatch(
    'forged',
    ordinal,
    `The signature of the head of ordinal ${ordinal} is invalid (${name}): the head was changed.`,
  );

/** The chain ends before the newest signed head. */
export const headBeyondTip = ({ newest, tip }: CheckpointState): Mismatch | null =>
  newest && newest.ordinal > tip.ordinal
    ? generalMismatch(
        'missing',
        tip.ordinal + 1,
        `The chain ends at ordinal ${tip.ordinal}, but a head signed at ${newest.at} reaches ordinal ${newest.ordinal}.`,
      )
    : null;

/** Heads that an external checkpoint has for a part of the log. */
export interface CheckpointRead {
  readonly checkpoint: Pick<ExternalCheckpoint, 'name'>;
  readonly heads: readonly SignedHead[];
}

/**
 * Contradictions between checkpoints, and invalid or unknown signatures. Heads are sent to each checkpoint in order, so one that has a
 * later head but not an earlier one has lost it.
 * @param isDue whether every checkpoint should have the head by now; `staleCheckpoints` reports checkpoints without any head
 */
export function checkpointFaults(
  reads: readonly CheckpointRead[],
  keys: readonly PublicKey[],
  lasts: ReadonlyMap<string, number> = lastOrdinals(reads),
  isDue: (head: SignedHead) => boolean = () => false,
): Mismatch[] {
  const faults: Mismatch[] = [];
  const genuine = new Map<string, SignedHead>();
  for (const { checkpoint, heads } of reads) {
    for (const head of heads) {
      const key = keys.find(({ keyId }) => keyId === head.keyId);
      if (!key) faults.push(unknownKey(checkpoint, head));
      else if (isGenuineHead(head, key)) genuine.set(identityOf(head), head);
      else faults.push(forgedHead(checkpoint, head));
    }
  }
  for (const { checkpoint, heads } of reads) {
    const has = new Set(heads.map(identityOf));
    const last = lasts.get(checkpoint.name) ?? 0;
    for (const [identity, head] of genuine)
      if ((head.ordinal < last || (last > 0 && isDue(head))) && !has.has(identity))
        faults.push(missingHead(checkpoint, head));
  }
  return firstOfEach(faults);
}

export const lastOrdinals = (reads: readonly CheckpointRead[]): ReadonlyMap<string, number> =>
  new Map(reads.map(({ checkpoint, heads }) => [checkpoint.name, heads.at(-1)?.ordinal ?? 0]));

interface Ages {
  readonly now: Date;
  /** Last link of the chain, and when it was written. */
  readonly chained: { readonly ordinal: number; readonly at: Date };
  /** Maximum age of unsigned events and undelivered heads. */
  readonly graceMs: number;
}

/** Checkpoints that cannot be read or are behind. */
export function staleCheckpoints(
  { checkpoints, newest, unreachable }: CheckpointState,
  { now, chained, graceMs }: Ages,
): Mismatch[] {
  const isOld = (at: Date): boolean => now.getTime() - at.getTime() > graceMs;
  const faults = unreachable.map(({ name }) =>
    generalMismatch('checkpoint', 0, `${capitalize(name)} cannot be read.`),
  );
  if ((newest?.ordinal ?? 0) < chained.ordinal && isOld(chained.at))
    faults.push(
      generalMismatch(
        'checkpoint',
        newest?.ordinal ?? 0,
        newest
          ? `No head was signed after ordinal ${newest.ordinal}, although the chain continues.`
          : 'No external checkpoint has a signed head, although the chain has events.',
      ),
    );
  for (const { checkpoint, last } of checkpoints)
    if (newest && (last?.ordinal ?? 0) < newest.ordinal && isOld(new Date(newest.at)))
      faults.push(
        last
          ? generalMismatch(
              'checkpoint',
              newest.ordinal,
              `${capitalize(checkpoint.name)} ends at the head of ordinal ${last.ordinal}, although later heads were signed.`,
            )
          : emptyCheckpoint(checkpoint, newest),
      );
  return faults;
}

/** Checkpoints without any head although others have some. Reported regardless of age. */
export const emptyCheckpoints = ({ checkpoints, newest }: CheckpointState): Mismatch[] =>
  newest
    ? checkpoints.filter(({ last }) => !last).map(({ checkpoint }) => emptyCheckpoint(checkpoint, newest))
    : [];

const emptyCheckpoint = ({ name }: Pick<ExternalCheckpoint, 'name'>, newest: SignedHead): Mismatch =>
  generalMismatch(
    'checkpoint',
    newest.ordinal,
    `${capitalize(name)} has no signed head, although others do.`,
  );

const identityOf = ({ ordinal, keyId, head }: SignedHead): string => `${ordinal} ${keyId} ${head}`;

const unknownKey = ({ name }: Pick<ExternalCheckpoint, 'name'>, { ordinal, keyId }: SignedHead): Mismatch =>
  generalMismatch(
    'checkpoint',
    ordinal,
    `${capitalize(name)} has heads signed with the unknown key ${keyId} (first at ordinal ${ordinal}).`,
  );

const missingHead = ({ name }: Pick<ExternalCheckpoint, 'name'>, { ordinal, at }: SignedHead): Mismatch =>
  generalMismatch(
    'checkpoint',
    ordinal,
    `${capitalize(name)} is missing the head of ordinal ${ordinal}, signed at ${at}.`,
  );

const capitalize = (name: string): string => (name.startsWith('the ') ? `T${name.slice(1)}` : name);

/** Reports only the first of many faults of the same kind. */
function firstOfEach(faults: readonly Mismatch[]): Mismatch[] {
  const kinds = new Map<string, Mismatch>();
  for (const fault of faults) {
    const kind = fault.detail.replace(/ordinal \d+/g, '').replace(/signed at .*/, '');
    if (!kinds.has(kind)) kinds.set(kind, fault);
  }
  return [...kinds.values()];
}
