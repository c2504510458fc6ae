import { randomBytes } from 'node:crypto';
import type { KeyKind } from '@nimo/domain';
import type pg from 'pg';
import { PostgresSnapshots } from '../database/postgres-snapshots.js';
import {
  KEY_BYTES,
  open,
  type OpeningKeys,
  seal,
  type KeyRef,
  type HeldKey,
  type KeyState,
} from './sealed-values.js';

const MAX_CACHED = 50_000;
const SAMPLE_SIZE = 20;
const REWRAP_PAGE = 1_000;
/** Bounds how long another process can still read an erased student's data; the erasing process forgets at once. */
const CACHE_TTL_MS = 60_000;

/** Keys by `keyName`. */
export type KeyRing<Standing = HeldKey> = ReadonlyMap<string, Standing>;

/** Unambiguous: neither part contains a space. */
export const keyName = (kind: KeyKind, id: string): string => `${kind} ${id}`;

/** The student has encrypted data but no key. A new key would make the loss permanent. */
export class KeyLostError extends Error {
  override readonly name = 'KeyLostError';
}

interface Cached extends HeldKey {
  state: KeyState;
  readAt: number;
}

export interface RewrapResult {
  readonly scanned: number;
  /** Keys moved to the current master key, or to be moved if only counted. */
  readonly rotated: number;
  readonly unreadable: number;
}

interface KeyRow {
  readonly id: string;
  readonly kind: KeyKind;
  readonly wrapped_key: Buffer | null;
}

/** Created together for a student. */
const STUDENT_KEY_KINDS = ['identity', 'words'] as const satisfies readonly KeyKind[];
type StudentKeyKind = (typeof STUDENT_KEY_KINDS)[number];

const createdWith = (ref: KeyRef): readonly KeyRef[] =>
  ref.kind === 'claim' ? [ref] : STUDENT_KEY_KINDS.map((kind) => ({ kind, id: ref.id }));

/** Per-student keys in `state.student_key`, wrapped by the master key. A destroyed key leaves an empty row, so that it is never recreated. */
export class StudentKeys {
  private readonly cache = new Map<string, Cached>();
  private readonly masterKeys: readonly Buffer[];

  constructor(
    private readonly pool: pg.Pool,
    masterKeys: OpeningKeys,
    /** The students with encrypted data in the log; checked before a first key is created. */
    private readonly findWithSealedData: (studentIds: readonly string[]) => Promise<readonly string[]> = () =>
      Promise.resolve([]),
    private readonly maxCached = MAX_CACHED,
  ) {
    this.masterKeys = Buffer.isBuffer(masterKeys) ? [masterKeys] : masterKeys;
  }

  /** Looks keys up in one query. Missing ones never existed or are lost. */
  standings(refs: Iterable<KeyRef>): Promise<KeyRing> {
    return this.find(refs);
  }

  /** Whether the master key unwraps any key of a sample; single damaged keys are tolerated. */
  async isMasterKeyCorrect(): Promise<boolean> {
    const { rows } = await this.pool.query<KeyRow>(
      `select id, kind, wrapped_key from state.student_key where wrapped_key is not null limit ${SAMPLE_SIZE}`,
    );
    return rows.length === 0 || rows.some((row) => this.stateOf(row) !== 'broken');
  }

  /**
   * Returns the keys, creating missing ones. Erased keys are omitted.
   * @throws KeyLostError when a key is lost
   */
  async findOrCreate(refs: readonly KeyRef[]): Promise<KeyRing<Buffer>> {
    const known = await this.find(refs);
    const missing = refs.filter(({ kind, id }) => !known.has(keyName(kind, id)));
    if (missing.length > 0) await this.create(missing);
    // Read again, as another process may have been first.
    const keys = new Map<string, Buffer>();
    for (const [name, { state }] of missing.length > 0 ? await this.find(refs) : known) {
      if (state === 'broken') throw new KeyLostError(`The key ${name} does not open.`);
      if (state !== 'erased') keys.set(name, state);
    }
    return keys;
  }

  /**
   * Crypto-shreds everything encrypted with a student's keys: here at once, in other processes within a minute. Also deletes stream
   * snapshots, which hold it in the clear.
   */
  async destroy(studentId: string, kinds: readonly StudentKeyKind[] = ['identity']): Promise<void> {
    await this.destroyKeys(studentId, kinds);
    await new PostgresSnapshots(this.pool).forget(studentId);
  }

  /** Without snapshots, for a student who never registered. */
  async destroyKeys(studentId: string, kinds: readonly StudentKeyKind[]): Promise<void> {
    await this.pool.query(
      `insert into state.student_key (id, kind, wrapped_key, erased_at) select $1, kind, null, now() from unnest($2::text[]) as kind
       order by 2 on conflict (id, kind) do update set wrapped_key = null, erased_at = coalesce(state.student_key.erased_at, now())`,
      [studentId, kinds],
    );
    for (const kind of kinds) this.remember(keyName(kind, studentId), 'erased');
    if (kinds.includes('identity')) await this.destroyClaims(studentId);
  }

  /** Erases who reserved the student's unique values. */
  private async destroyClaims(studentId: string): Promise<void> {
    const { rows } = await this.pool.query<Pick<KeyRow, 'id'>>(
      `update state.student_key set wrapped_key = null, held_by = null, erased_at = now()
       where held_by = $1 and kind = 'claim' returning id`,
      [studentId],
    );
    for (const { id } of rows) this.remember(keyName('claim', id), 'erased');
  }

  /**
   * Rewraps keys of the previous master key with the current one, in pages. Can be interrupted and resumed at any time.
   * @param dry only counts
   * @returns how many keys were wrapped by the previous key, and how many no key unwraps
   */
  async rewrap({
    dry = false,
    signal,
    onProgress,
  }: {
    readonly dry?: boolean;
    readonly signal?: AbortSignal;
    readonly onProgress?: (scanned: number) => void;
  } = {}): Promise<RewrapResult> {
    const counts = { scanned: 0, rotated: 0, unreadable: 0 };
    let after = { id: '', kind: '' };
    for (;;) {
      signal?.throwIfAborted();
      const { rows } = await this.pool.query<KeyRow & { wrapped_key: Buffer }>(
        `select id, kind, wrapped_key from state.student_key
         where wrapped_key is not null and (id, kind) > ($1, $2) order by id, kind limit ${REWRAP_PAGE}`,
        [after.id, after.kind],
      );
      const last = rows.at(-1);
      if (!last) return counts;
      after = last;
      const found = rows.map((row) => ({ row, opened: this.unwrapWithAny(row) }));
      const former = found.flatMap(({ row, opened }) =>
        opened && opened[0] > 0 ? [{ row, key: opened[1] }] : [],
      );
      counts.scanned += rows.length;
      counts.rotated += former.length;
      counts.unreadable += found.filter(({ opened }) => !opened).length;
      if (!dry && former.length > 0) await this.replace(former);
      onProgress?.(counts.scanned);
    }
  }

  /** Skips keys destroyed meanwhile. */
  private async replace(
    wrap: readonly { readonly row: KeyRow & { readonly wrapped_key: Buffer }; readonly key: Buffer }[],
  ): Promise<void> {
    await this.pool.query(
      `update state.student_key k set wrapped_key = n.fresh
       from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) as n (id, kind, former, fresh)
       where k.id = n.id and k.kind = n.kind and k.wrapped_key = n.former`,
      [
        wrap.map(({ row }) => row.id),
        wrap.map(({ row }) => row.kind),
        wrap.map(({ row }) => row.wrapped_key),
        wrap.map(({ row, key }) => this.wrapped(key, row)),
      ],
    );
  }

  /** Inserts in a fixed order, to avoid deadlocks. */
  private async create(refs: readonly KeyRef[]): Promise<void> {
    const owners = new Set(refs.flatMap(({ kind, id }) => (kind === 'identity' ? [id] : [])));
    const sealed = owners.size > 0 ? await this.findWithSealedData([...owners]) : [];
    // If another process created the key meanwhile, it exists by now.
    const [lost] = sealed.length > 0 ? await this.filterWithoutKey(sealed) : [];
    if (lost !== undefined) throw new KeyLostError(`The key of student ${lost} is lost.`);
    const created = [
      ...new Map(refs.flatMap(createdWith).map((ref) => [keyName(ref.kind, ref.id), ref])).values(),
    ];
    await this.pool.query(
      `insert into state.student_key (id, kind, held_by, wrapped_key)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) order by 1, 2 on conflict do nothing`,
      [
        created.map(({ id }) => id),
        created.map(({ kind }) => kind),
        created.map(({ heldBy }) => heldBy ?? null),
        created.map((ref) => this.wrapped(randomBytes(KEY_BYTES), ref)),
      ],
    );
  }

  private async filterWithoutKey(studentIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<Pick<KeyRow, 'id'>>(
      `select id from unnest($1::text[]) as asked (id)
       where not exists (select from state.student_key k where k.id = asked.id and k.kind = 'identity')`,
      [studentIds],
    );
    return rows.map(({ id }) => id);
  }

  private wrapped(key: Buffer, ref: Pick<KeyRef, 'kind' | 'id'>): Buffer {
    const [masterKey] = this.masterKeys;
    if (!masterKey) throw new Error('no master key given');
    return seal(masterKey, key, keyName(ref.kind, ref.id));
  }

  /** Index of the master key that unwraps a row, with the key; undefined if none does. */
  private unwrapWithAny(
    row: KeyRow & { readonly wrapped_key: Buffer },
  ): readonly [number, Buffer] | undefined {
    for (const [place, masterKey] of this.masterKeys.entries())
      try {
        return [place, open(masterKey, row.wrapped_key, keyName(row.kind, row.id))];
      } catch {
        // Wrapped by another master key.
      }
    return undefined;
  }

  private stateOf(row: KeyRow): KeyState {
    if (row.wrapped_key === null) return 'erased';
    try {
      return open(this.masterKeys, row.wrapped_key, keyName(row.kind, row.id));
    } catch {
      return 'broken';
    }
  }

  /** Updates the cache entry in place, since decoded events hold references to it. */
  private remember(name: string, state: KeyState, readAt = Date.now()): HeldKey {
    const held = this.cache.get(name) ?? { state, readAt };
    // Erasure is final: an overlapping look-up may still have found the key.
    if (held.state !== 'erased') held.state = state;
    held.readAt = readAt;
    this.touch(name, held);
    return held;
  }

  private touch(name: string, held: Cached): void {
    this.cache.delete(name);
    this.cache.set(name, held);
    if (this.cache.size <= this.maxCached) return;
    for (const oldest of this.cache.keys()) {
      this.cache.delete(oldest);
      return;
    }
  }

  private async find(refs: Iterable<KeyRef>): Promise<KeyRing> {
    const now = Date.now();
    const known = new Map<string, HeldKey>();
    const missing = new Set<string>();
    const kinds = new Set<KeyKind>();
    for (const { kind, id } of refs) {
      const name = keyName(kind, id);
      if (known.has(name)) continue;
      const cached = this.cache.get(name);
      if (cached && now - cached.readAt < CACHE_TTL_MS) {
        known.set(name, cached);
        this.touch(name, cached);
      } else {
        missing.add(id);
        kinds.add(kind);
      }
    }
    if (missing.size === 0) return known;
    const { rows } = await this.pool.query<KeyRow>({
      name: 'student-keys',
      text: 'select id, kind, wrapped_key from state.student_key where id = any($1::text[]) and kind = any($2::text[])',
      values: [[...missing], [...kinds]],
    });
    for (const row of rows) {
      const name = keyName(row.kind, row.id);
      known.set(name, this.remember(name, this.stateOf(row), now));
    }
    return known;
  }
}
