import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { KEY_BYTES, open, seal } from './sealed-value.js';

const MOST_CACHED = 50_000;
/** Bounds how long another process can still read an erased student; the eraser itself forgets at once. */
const CACHED_FOR_MS = 60_000;

interface Cached {
  /** Null: erased, for good. */
  readonly key: Buffer | null;
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
  ) {}

  /** The keys that exist, in one query. A student that is not in the answer has none (any more). */
  async find(studentIds: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const known = await this.look(new Set(studentIds));
    return new Map([...known].flatMap(([id, key]) => (key ? [[id, key] as const] : [])));
  }

  /** The keys of these students, made where there was none. Not in the answer: erased. */
  async findOrMake(studentIds: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = new Set(studentIds);
    const known = await this.look(wanted);
    const without = [...wanted].filter((id) => !known.has(id));
    if (without.length > 0) {
      await this.pool.query(
        `insert into state.student_key (student_id, wrapped_key)
         select * from unnest($1::text[], $2::bytea[]) on conflict do nothing`,
        [without, without.map((id) => seal(this.masterKey, randomBytes(KEY_BYTES), id))],
      );
    }
    // Read again, as another process may have been first.
    return this.find(wanted);
  }

  /** Makes everything that was sealed for that student unreadable, here at once and elsewhere within a minute. */
  async erase(studentId: string): Promise<void> {
    await this.pool.query(
      `insert into state.student_key (student_id, wrapped_key, erased_at) values ($1, null, now())
       on conflict (student_id) do update set wrapped_key = null, erased_at = coalesce(state.student_key.erased_at, now())`,
      [studentId],
    );
    this.cache.set(studentId, { key: null, readAt: Date.now() });
  }

  /** Keys by student, null where it was erased. */
  private async look(wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, Buffer | null>> {
    const now = Date.now();
    const known = new Map<string, Buffer | null>();
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
    for (const { student_id, wrapped_key } of rows) {
      const key = wrapped_key && open(this.masterKey, wrapped_key, student_id);
      known.set(student_id, key);
      this.cache.set(student_id, { key, readAt: now });
    }
    return known;
  }
}
