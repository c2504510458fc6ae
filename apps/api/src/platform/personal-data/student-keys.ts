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
  type KeyStanding,
} from './sealed-values.js';

const MAX_CACHED = 50_000;
const KEYS_TRIED = 20;
const WRAPPED_AT_ONCE = 1_000;
/** Bounds how long another process can still read an erased student; the eraser itself forgets at once. */
const CACHED_FOR_MS = 60_000;

/** By `keyName`. */
export type KeyRing<Standing = HeldKey> = ReadonlyMap<string, Standing>;

/** Both are UUIDs, or what tests make of them: none has a blank. */
export const keyName = (kind: KeyKind, id: string): string => `${kind} ${id}`;

/** Something was sealed for that student, and the key is gone: with another one the student's past would be unreadable for good. */
export class KeyLostError extends Error {
  override readonly name = 'KeyLostError';
}

interface Cached extends HeldKey {
  standing: KeyStanding;
  readAt: number;
}

export interface WrappedAnew {
  readonly looked: number;
  readonly former: number;
  readonly unreadable: number;
}

interface KeyRow {
  readonly id: string;
  readonly kind: KeyKind;
  readonly wrapped_key: Buffer | null;
}

/** A student's are made together: where one is there and the other is not, that one was never needed. */
const STUDENTS_KINDS = ['identity', 'words'] as const satisfies readonly KeyKind[];
type StudentsKind = (typeof STUDENTS_KINDS)[number];

const madeWith = (ref: KeyRef): readonly KeyRef[] =>
  ref.kind === 'claim' ? [ref] : STUDENTS_KINDS.map((kind) => ({ kind, id: ref.id }));

/** The keys in `state.student_key`, wrapped by the master key. Destroying one leaves a row without it, so that none is made again. */
export class StudentKeys {
  private readonly cache = new Map<string, Cached>();
  private readonly masterKeys: readonly Buffer[];

  constructor(
    private readonly pool: pg.Pool,
    masterKeys: OpeningKeys,
    /** Those of whom the log has something sealed: asked for before a first key is made. */
    private readonly haveSealed: (studentIds: readonly string[]) => Promise<readonly string[]> = () =>
      Promise.resolve([]),
    private readonly mostCached = MAX_CACHED,
  ) {
    this.masterKeys = Buffer.isBuffer(masterKeys) ? [masterKeys] : masterKeys;
  }

  /** What there is of these keys, in one query. What is not in the answer was never there, or is lost. */
  standings(refs: Iterable<KeyRef>): Promise<KeyRing> {
    return this.look(refs);
  }

  /** Whether the keys that are there open with this master key, as far as some of them tell: one that is damaged tells nothing. */
  async isMasterKeyRight(): Promise<boolean> {
    const { rows } = await this.pool.query<KeyRow>(
      `select id, kind, wrapped_key from state.student_key where wrapped_key is not null limit ${KEYS_TRIED}`,
    );
    return rows.length === 0 || rows.some((row) => this.standingOf(row) !== 'broken');
  }

  /**
   * These keys, made where there was none. Not in the answer: erased.
   * @throws KeyLostError where one is lost
   */
  async findOrMake(refs: readonly KeyRef[]): Promise<KeyRing<Buffer>> {
    const known = await this.look(refs);
    const without = refs.filter(({ kind, id }) => !known.has(keyName(kind, id)));
    if (without.length > 0) await this.make(without);
    // Read again, as another process may have been first.
    const keys = new Map<string, Buffer>();
    for (const [name, { standing }] of without.length > 0 ? await this.look(refs) : known) {
      if (standing === 'broken') throw new KeyLostError(`The key ${name} does not open.`);
      if (standing !== 'erased') keys.set(name, standing);
    }
    return keys;
  }

  /**
   * Makes everything that was sealed with these keys of a student unreadable, here at once and elsewhere within a minute. Snapshots of
   * streams, which hold it open, go with the key.
   */
  async destroy(studentId: string, kinds: readonly StudentsKind[] = ['identity']): Promise<void> {
    await this.destroyKeys(studentId, kinds);
    await new PostgresSnapshots(this.pool).forget(studentId);
  }

  /** The keys alone: of somebody who never registered there are no snapshots. */
  async destroyKeys(studentId: string, kinds: readonly StudentsKind[]): Promise<void> {
    await this.pool.query(
      `insert into state.student_key (id, kind, wrapped_key, erased_at) select $1, kind, null, now() from unnest($2::text[]) as kind
       order by 2 on conflict (id, kind) do update set wrapped_key = null, erased_at = coalesce(state.student_key.erased_at, now())`,
      [studentId, kinds],
    );
    for (const kind of kinds) this.remember(keyName(kind, studentId), 'erased');
    if (kinds.includes('identity')) await this.destroyClaims(studentId);
  }

  /** Nobody learns any more who held the values that this student reserved. */
  private async destroyClaims(studentId: string): Promise<void> {
    const { rows } = await this.pool.query<Pick<KeyRow, 'id'>>(
      `update state.student_key set wrapped_key = null, held_by = null, erased_at = now()
       where held_by = $1 and kind = 'claim' returning id`,
      [studentId],
    );
    for (const { id } of rows) this.remember(keyName('claim', id), 'erased');
  }

  /**
   * Wraps anew, by the present master key, what the former one wrapped. Each page is one statement: whatever ends it, the next time goes on, as what
   * is wrapped anew is left alone.
   * @param dry counts only
   * @returns how many keys stood under the former one, and how many no master key opens
   */
  async wrapAnew({
    dry = false,
    signal,
    onProgress,
  }: {
    readonly dry?: boolean;
    readonly signal?: AbortSignal;
    readonly onProgress?: (looked: number) => void;
  } = {}): Promise<WrappedAnew> {
    const counts = { looked: 0, former: 0, unreadable: 0 };
    let after = { id: '', kind: '' };
    for (;;) {
      signal?.throwIfAborted();
      const { rows } = await this.pool.query<KeyRow & { wrapped_key: Buffer }>(
        `select id, kind, wrapped_key from state.student_key
         where wrapped_key is not null and (id, kind) > ($1, $2) order by id, kind limit ${WRAPPED_AT_ONCE}`,
        [after.id, after.kind],
      );
      const last = rows.at(-1);
      if (!last) return counts;
      after = last;
      const found = rows.map((row) => ({ row, opened: this.openedBy(row) }));
      const former = found.flatMap(({ row, opened }) =>
        opened && opened[0] > 0 ? [{ row, key: opened[1] }] : [],
      );
      counts.looked += rows.length;
      counts.former += former.length;
      counts.unreadable += found.filter(({ opened }) => !opened).length;
      if (!dry && former.length > 0) await this.replace(former);
      onProgress?.(counts.looked);
    }
  }

  /** What was destroyed meanwhile stays so. */
  private async replace(
    wrapped: readonly { readonly row: KeyRow & { readonly wrapped_key: Buffer }; readonly key: Buffer }[],
  ): Promise<void> {
    await this.pool.query(
      `update state.student_key k set wrapped_key = n.fresh
       from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) as n (id, kind, former, fresh)
       where k.id = n.id and k.kind = n.kind and k.wrapped_key = n.former`,
      [
        wrapped.map(({ row }) => row.id),
        wrapped.map(({ row }) => row.kind),
        wrapped.map(({ row }) => row.wrapped_key),
        wrapped.map(({ row, key }) => this.wrapped(key, row)),
      ],
    );
  }

  /** In one order whoever makes them: two that insert the same keys in two orders wait for each other for good. */
  private async make(refs: readonly KeyRef[]): Promise<void> {
    const owners = new Set(refs.flatMap(({ kind, id }) => (kind === 'identity' ? [id] : [])));
    const sealed = owners.size > 0 ? await this.haveSealed([...owners]) : [];
    // Whoever made a key in between has sealed with it by now: it is there.
    const [lost] = sealed.length > 0 ? await this.withoutKey(sealed) : [];
    if (lost !== undefined) throw new KeyLostError(`The key of student ${lost} is lost.`);
    const made = [...new Map(refs.flatMap(madeWith).map((ref) => [keyName(ref.kind, ref.id), ref])).values()];
    await this.pool.query(
      `insert into state.student_key (id, kind, held_by, wrapped_key)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) order by 1, 2 on conflict do nothing`,
      [
        made.map(({ id }) => id),
        made.map(({ kind }) => kind),
        made.map(({ heldBy }) => heldBy ?? null),
        made.map((ref) => this.wrapped(randomBytes(KEY_BYTES), ref)),
      ],
    );
  }

  private async withoutKey(studentIds: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<Pick<KeyRow, 'id'>>(
      `select id from unnest($1::text[]) as asked (id)
       where not exists (select from state.student_key k where k.id = asked.id and k.kind = 'identity')`,
      [studentIds],
    );
    return rows.map(({ id }) => id);
  }

  private wrapped(key: Buffer, ref: Pick<KeyRef, 'kind' | 'id'>): Buffer {
    const [masterKey] = this.masterKeys;
    if (!masterKey) throw new Error('there is no master key');
    return seal(masterKey, key, keyName(ref.kind, ref.id));
  }

  /** Which of the master keys, counted from the present one, opens a row; undefined where none does. */
  private openedBy(row: KeyRow & { readonly wrapped_key: Buffer }): readonly [number, Buffer] | undefined {
    for (const [place, masterKey] of this.masterKeys.entries())
      try {
        return [place, open(masterKey, row.wrapped_key, keyName(row.kind, row.id))];
      } catch {
        // Wrapped by another one.
      }
    return undefined;
  }

  private standingOf(row: KeyRow): KeyStanding {
    if (row.wrapped_key === null) return 'erased';
    try {
      return open(this.masterKeys, row.wrapped_key, keyName(row.kind, row.id));
    } catch {
      return 'broken';
    }
  }

  /** What is known of a key is changed in place, as somebody may hold it. The ones used last are at the end. */
  private remember(name: string, standing: KeyStanding, readAt = Date.now()): HeldKey {
    const held = this.cache.get(name) ?? { standing, readAt };
    // Never back: a look that was under way when the key was destroyed still found it.
    if (held.standing !== 'erased') held.standing = standing;
    held.readAt = readAt;
    this.keepLast(name, held);
    return held;
  }

  private keepLast(name: string, held: Cached): void {
    this.cache.delete(name);
    this.cache.set(name, held);
    if (this.cache.size <= this.mostCached) return;
    for (const oldest of this.cache.keys()) {
      this.cache.delete(oldest);
      return;
    }
  }

  private async look(refs: Iterable<KeyRef>): Promise<KeyRing> {
    const now = Date.now();
    const known = new Map<string, HeldKey>();
    const missing = new Set<string>();
    const kinds = new Set<KeyKind>();
    for (const { kind, id } of refs) {
      const name = keyName(kind, id);
      if (known.has(name)) continue;
      const cached = this.cache.get(name);
      if (cached && now - cached.readAt < CACHED_FOR_MS) {
        known.set(name, cached);
        this.keepLast(name, cached);
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
      known.set(name, this.remember(name, this.standingOf(row), now));
    }
    return known;
  }
}
