import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { PostgresSnapshots } from '../commands/postgres-snapshots.js';
import { KEY_BYTES, open, seal } from './sealed-value.js';

const MOST_CACHED = 50_000;
const KEYS_TRIED = 20;
/** Bounds how long another process can still read an erased student; the eraser itself forgets at once. */
const CACHED_FOR_MS = 60_000;

/** Erased is for good; broken is what the master key does not open. */
export type KeyStanding = Buffer | 'erased' | 'broken';

/** Something was sealed for that student, and the key is gone: with another one the student's past would be unreadable for good. */
export class KeyLostError extends Error {
  override readonly name = 'KeyLostError';
}

interface Cached {
  readonly key: KeyStanding;
  readonly readAt: number;
}

interface KeyRow {
  readonly student_id: string;
  readonly wrapped_key: Buffer | null;
}

/** One key a student, in `state.student_key`, wrapped by the master key. Erasing leaves a row without a key, so that none is made again. */
export class StudentKeys {
  private readonly cache = new Map<string, Cached>();

  constructor(
    private readonly pool: pg.Pool,
    private readonly masterKey: Buffer,
    /** Those of whom the log has something sealed: asked for before a first key is made. */
    private readonly haveSealed: (studentIds: readonly string[]) => Promise<readonly string[]> = () =>
      Promise.resolve([]),
  ) {}

  /** What there is of these students' keys, in one query. Who is not in the answer never had one, or it is lost. */
  standings(studentIds: Iterable<string>): Promise<ReadonlyMap<string, KeyStanding>> {
    return this.look(new Set(studentIds));
  }

  /** Whether the keys that are there open with this master key, as far as some of them tell: one that is damaged tells nothing. */
  async isMasterKeyRight(): Promise<boolean> {
    const { rows } = await this.pool.query<KeyRow>(
      `select student_id, wrapped_key from state.student_key where wrapped_key is not null limit ${KEYS_TRIED}`,
    );
    return rows.length === 0 || rows.some((row) => this.standingOf(row) !== 'broken');
  }

  /**
   * The keys of these students, made where there was none. Not in the answer: erased.
   * @throws KeyLostError where one is lost
   */
  async findOrMake(studentIds: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = new Set(studentIds);
    const known = await this.look(wanted);
    const without = [...wanted].filter((id) => !known.has(id));
    if (without.length > 0) {
      const [lost] = await this.haveSealed(without);
      if (lost !== undefined) throw new KeyLostError(`The key of student ${lost} is lost.`);
      await this.pool.query(
        `insert into state.student_key (student_id, wrapped_key)
         select * from unnest($1::text[], $2::bytea[]) on conflict do nothing`,
        [without, without.map((id) => seal(this.masterKey, randomBytes(KEY_BYTES), id))],
      );
    }
    // Read again, as another process may have been first.
    const keys = new Map<string, Buffer>();
    for (const [id, key] of await this.look(wanted)) {
      if (key === 'broken') throw new KeyLostError(`The key of student ${id} does not open.`);
      if (key !== 'erased') keys.set(id, key);
    }
    return keys;
  }

  /**
   * Makes everything that was sealed for that student unreadable, here at once and elsewhere within a minute. Snapshots of streams, which
   * hold it open, go with the key.
   */
  async erase(studentId: string): Promise<void> {
    await this.pool.query(
      `insert into state.student_key (student_id, wrapped_key, erased_at) values ($1, null, now())
       on conflict (student_id) do update set wrapped_key = null, erased_at = coalesce(state.student_key.erased_at, now())`,
      [studentId],
    );
    this.cache.set(studentId, { key: 'erased', readAt: Date.now() });
    await new PostgresSnapshots(this.pool).forget(studentId);
  }

  private standingOf({ student_id, wrapped_key }: KeyRow): KeyStanding {
    if (wrapped_key === null) return 'erased';
    try {
      return open(this.masterKey, wrapped_key, student_id);
    } catch {
      return 'broken';
    }
  }

  private async look(wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, KeyStanding>> {
    const now = Date.now();
    const known = new Map<string, KeyStanding>();
    for (const id of wanted) {
      const cached = this.cache.get(id);
      if (cached && now - cached.readAt < CACHED_FOR_MS) known.set(id, cached.key);
    }
    const missing = [...wanted].filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    const { rows } = await this.pool.query<KeyRow>({
      name: 'student-keys',
      text: 'select student_id, wrapped_key from state.student_key where student_id = any($1::text[])',
      values: [missing],
    });
    if (this.cache.size + rows.length > MOST_CACHED) this.cache.clear();
    for (const row of rows) {
      const key = this.standingOf(row);
      known.set(row.student_id, key);
      this.cache.set(row.student_id, { key, readAt: now });
    }
    return known;
  }
}
