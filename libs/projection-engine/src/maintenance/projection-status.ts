import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Projection } from '../projection.js';
import {
  type GenerationStatus,
  type ProjectionError,
  decaySql,
  type SkippedEvent,
  type VerificationResult,
} from '../bookkeeping/bookkeeping.js';
import type { Generation } from '../generations/generations.js';
import { READ_TYPES } from '../storage/column-values.js';
import { shapeHash } from '../storage/table-shape.js';

export interface GenerationView {
  readonly generation: number;
  readonly version: number;
  readonly status: GenerationStatus;
  readonly ordinal: number;
  readonly bytes: number;
  readonly startedAt: string;
  readonly switchedAt: string | null;
  readonly updatedAt: string;
  readonly error: ProjectionError | null;
  /** Host and process id of the lease holder. */
  readonly leader: string | null;
  /** Whether the running code can make it live. */
  readonly isSwitchable: boolean;
}

export interface WorkProgress {
  readonly generation: number;
  /** Events processed, out of `total`. */
  readonly done: number;
  readonly total: number;
  readonly eventsPerSecond: number;
  /** Null until there is a rate, and while it is stopped at an event. */
  readonly secondsLeft: number | null;
}

export interface RebuildView extends WorkProgress {
  readonly isHeld: boolean;
  /** Indexed and nearly caught up with the live generation. */
  readonly isReady: boolean;
  /** A retired generation that is switching back. */
  readonly isWayBack: boolean;
  readonly error: ProjectionError | null;
  readonly startedAt: string;
}

export type ProjectionState = 'FOLLOWING' | 'BEHIND' | 'AHEAD' | 'STOPPED' | 'WAITING';

export interface ProjectionStatus {
  readonly name: string;
  readonly purpose: string;
  /** Version of the running code. */
  readonly version: number;
  /**
   * STOPPED at an event; AHEAD of the log, which was replaced by an older copy; WAITING for a worker; BEHIND the log; otherwise FOLLOWING.
   */
  readonly state: ProjectionState;
  readonly live: GenerationView | null;
  readonly lagEvents: number;
  /** Age of the oldest unapplied event. */
  readonly lagMs: number;
  readonly eventsPerSecond: number;
  /** Error of the live generation, or else of the building one. */
  readonly error: ProjectionError | null;
  /** Events skipped by the live generation. */
  readonly skipped: readonly SkippedEvent[];
  readonly rebuild: RebuildView | null;
  readonly verification: WorkProgress | null;
  readonly lastVerification: VerificationResult | null;
  readonly generations: readonly GenerationView[];
}

export interface StatusOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly projections: readonly Projection[];
  readonly now?: () => number;
}

interface Row extends Omit<Generation, 'owner' | 'epoch' | 'isLed' | 'isFree' | 'asked'> {
  readonly leader: string | null;
  readonly rate: number;
  readonly result: VerificationResult | null;
  readonly bytes: number;
}

/** Maximum number of events to count after the furthest checkpoint. Stores that number their events count for free. */
const MAX_COUNTED = 10_000_000;
/** A generation is ready within this many events of the live one. */
const MAX_READY_LAG = 1_000;

/**
 * The rate decays while no events arrive. The average started at zero, so it is divided by the weight of the time since the start of the
 * lease.
 */
const SELECT = `
  select g.name, g.generation, g.version, g.shape_hash as "shapeHash", g.status, g.indexed, g.hold, g.position, g.ordinal,
    g.started_at as "startedAt", g.switched_at as "switchedAt", g.updated_at as "updatedAt", g.error, g.skipped, g.verification,
    case when g.expires_at > clock_timestamp() then split_part(g.owner, '/', 1) || '/' || split_part(g.owner, '/', 2) end as leader,
    case when g.updated_at > g.leased_at then
      g.rate * ${decaySql('extract(epoch from clock_timestamp() - g.updated_at)::float8')}
        / (1 - ${decaySql('extract(epoch from g.updated_at - g.leased_at)::float8')})
    else 0 end as rate,
    m.verification as result,
    coalesce((select sum(pg_total_relation_size(to_regclass('read.' || t.table_name || '__g' || t.generation)))
      from read.generation_tables t where t.name = g.name and t.generation = g.generation), 0)::bigint as bytes
  from read.projection_generations g left join read.projection_maintenance m on m.name = g.name
  where g.name = any($1) order by g.name, g.generation`;

/** The status of every projection. Cheap enough for every second: it reads the bookkeeping and counts no tables. */
export async function projectionStatus(options: StatusOptions): Promise<ProjectionStatus[]> {
  const { pool, projections } = options;
  const { rows } = await pool.query<Row>({
    text: SELECT,
    values: [projections.map(({ name }) => name)],
    types: READ_TYPES,
  });
  const log = await logLength(options, rows);
  return Promise.all(
    projections.map(async (projection) => {
      const own = rows.filter(({ name }) => name === projection.name);
      const live = own.find(({ status }) => status === 'live');
      const lagMs = live === undefined ? 0 : await ageOfNext(options, live, log);
      return statusOf(projection, own, { log, lagMs });
    }),
  );
}

/** The ordinal of the furthest generation plus the events after it. It is usually at the end of the log. */
async function logLength({ store }: StatusOptions, rows: readonly Row[]): Promise<number> {
  // A generation beyond the head has read another log.
  const head = (await store.head()) ?? '';
  const furthest = rows.reduce<Row | undefined>((best, row) => {
    const position = row.position ?? '';
    return position <= head && position > (best?.position ?? '') ? row : best;
  }, undefined);
  return (furthest?.ordinal ?? 0) + (await store.countAfter(furthest?.position ?? undefined, MAX_COUNTED));
}

async function ageOfNext(
  { store, now = Date.now }: StatusOptions,
  { position, ordinal }: Row,
  log: number,
): Promise<number> {
  if (ordinal >= log) return 0;
  const [next] = await store.readAll({ ...(position !== null && { after: position }), limit: 1 });
  const recordedAt = next?.metadata['recordedAt'];
  return typeof recordedAt === 'string' ? Math.max(0, now() - Date.parse(recordedAt)) : 0;
}

function statusOf(
  projection: Projection,
  rows: readonly Row[],
  { log, lagMs }: { readonly log: number; readonly lagMs: number },
): ProjectionStatus {
  const live = rows.find(({ status }) => status === 'live');
  const building = rows.find(({ status }) => status === 'building');
  const verifying = rows.find(({ verification }) => verification !== null);
  const generations = rows
    .filter(({ status, verification }) => status !== 'verifying' || verification !== null)
    .map((row) => generationView(row, projection));
  const lagEvents = Math.max(0, log - (live?.ordinal ?? 0));
  const errors = [live, building].flatMap((row) => (row?.error?.isAheadOfLog ? [] : (row?.error ?? [])));
  return {
    name: projection.name,
    purpose: projection.purpose,
    version: projection.version,
    state: stateOf(live, lagEvents),
    live: generations.find(({ status }) => status === 'live') ?? null,
    lagEvents,
    lagMs,
    eventsPerSecond: rateOf(live),
    error: errors[0] ?? null,
    skipped: live?.skipped ?? [],
    rebuild: building ? rebuildView(building, live, log) : null,
    verification: verifying ? progressOf(verifying, verifying.verification?.compared?.ordinal ?? log) : null,
    lastVerification: rows.find(({ result }) => result !== null)?.result ?? null,
    generations,
  };
}

function stateOf(live: Row | undefined, lagEvents: number): ProjectionState {
  if (live?.error) return live.error.isAheadOfLog ? 'AHEAD' : 'STOPPED';
  if (live === undefined || live.leader === null) return 'WAITING';
  return lagEvents > 0 ? 'BEHIND' : 'FOLLOWING';
}

function generationView(row: Row, projection: Projection): GenerationView {
  const { generation, version, status, ordinal, bytes, startedAt, switchedAt, updatedAt, error, leader } =
    row;
  const isSwitchable =
    row.shapeHash === shapeHash(projection) && (status === 'building' || status === 'former');
  return {
    ...{ generation, version, status, ordinal, bytes, startedAt, switchedAt, updatedAt, error, leader },
    isSwitchable,
  };
}

function rebuildView(row: Row, live: Row | undefined, log: number): RebuildView {
  const { hold, indexed, ordinal, switchedAt, error, startedAt } = row;
  const isReady = indexed && error === null && ordinal + MAX_READY_LAG >= (live?.ordinal ?? 0);
  return { ...progressOf(row, log), isHeld: hold, isReady, isWayBack: switchedAt !== null, error, startedAt };
}

function progressOf(row: Row, goal: number): WorkProgress {
  const done = row.ordinal;
  const total = Math.max(goal, done);
  const eventsPerSecond = rateOf(row);
  const isMoving = eventsPerSecond > 0 && row.error === null;
  const secondsLeft = isMoving ? (total - done) / eventsPerSecond : null;
  return { generation: row.generation, done, total, eventsPerSecond, secondsLeft };
}

/** Rounds a decayed rate to zero. */
function rateOf(row: Row | undefined): number {
  const rate = row?.rate ?? 0;
  return rate < 0.05 ? 0 : rate;
}
