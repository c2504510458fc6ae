import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { Projection } from '../projection.js';
import {
  type GenerationStatus,
  type ProjectionError,
  fadedSql,
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
  /** The process that runs it. */
  readonly leader: string | null;
  /** This code can put it in the live one's place. */
  readonly isSwitchable: boolean;
}

export interface WorkProgress {
  readonly generation: number;
  /** Events behind it, and all that it has to pass. */
  readonly done: number;
  readonly total: number;
  readonly eventsPerSecond: number;
  /** Null until there is a rate. */
  readonly secondsLeft: number | null;
}

export interface RebuildView extends WorkProgress {
  readonly isHeld: boolean;
  /** With indexes, and as far as the live one was a moment ago. */
  readonly isReady: boolean;
  /** It was live before. */
  readonly isWayBack: boolean;
  readonly error: ProjectionError | null;
  readonly startedAt: string;
}

export type ProjectionState = 'FOLLOWING' | 'BEHIND' | 'AHEAD' | 'STOPPED' | 'WAITING';

export interface ProjectionStatus {
  readonly name: string;
  readonly purpose: string;
  /** Of this code. */
  readonly version: number;
  /**
   * STOPPED at an event; AHEAD of the log, which was replaced by an older one; WAITING for a worker, as nobody runs it; BEHIND the log; otherwise FOLLOWING it.
   */
  readonly state: ProjectionState;
  readonly live: GenerationView | null;
  readonly lagEvents: number;
  /** Age of the oldest event that was not applied. */
  readonly lagMs: number;
  readonly eventsPerSecond: number;
  /** Where it stopped: the live generation, otherwise the one that is built. */
  readonly error: ProjectionError | null;
  /** Left out by the live generation. */
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

/** A log is counted no further than this beyond the projection that is furthest; a store that numbers its events counts for nothing. */
const COUNTED = 10_000_000;
/** As much of the log as a generation may lack and still be called ready. */
const READY_WITHIN = 1_000;

/**
 * A rate fades when nothing comes any more, and is taken as high from the start as the few seconds since then allow: the average
 * began with nothing, whose weight is what the time has not taken yet.
 */
const SELECT = `
  select g.name, g.generation, g.version, g.shape_hash as "shapeHash", g.status, g.indexed, g.hold, g.position, g.ordinal,
    g.started_at as "startedAt", g.switched_at as "switchedAt", g.updated_at as "updatedAt", g.error, g.skipped, g.verification,
    case when g.expires_at > clock_timestamp() then split_part(g.owner, '/', 1) || '/' || split_part(g.owner, '/', 2) end as leader,
    case when g.updated_at > g.leased_at then
      g.rate * ${fadedSql('extract(epoch from clock_timestamp() - g.updated_at)::float8')}
        / (1 - ${fadedSql('extract(epoch from g.updated_at - g.leased_at)::float8')})
    else 0 end as rate,
    a.verification as result,
    coalesce((select sum(pg_total_relation_size(to_regclass('read.' || t.table_name || '__g' || t.generation)))
      from read.generation_tables t where t.name = g.name and t.generation = g.generation), 0)::bigint as bytes
  from read.projection_generations g left join read.projection_acts a on a.name = g.name
  where g.name = any($1) order by g.name, g.generation`;

/** How every projection stands. Cheap enough to be asked every second: a look at the bookkeeping, and no table is counted. */
export async function projectionStatus(options: StatusOptions): Promise<ProjectionStatus[]> {
  const { pool, projections } = options;
  const { rows } = await pool.query<Row>({
    text: SELECT,
    values: [projections.map(({ name }) => name)],
    types: READ_TYPES,
  });
  const log = await lengthOfLog(options, rows);
  return Promise.all(
    projections.map(async (projection) => {
      const own = rows.filter(({ name }) => name === projection.name);
      const live = own.find(({ status }) => status === 'live');
      const lagMs = live === undefined ? 0 : await ageOfNext(options, live, log);
      return statusOf(projection, own, { log, lagMs });
    }),
  );
}

/** The furthest of all knows how many events there are up to where it is; usually that is the end. */
async function lengthOfLog({ store }: StatusOptions, rows: readonly Row[]): Promise<number> {
  // A generation that is further than the log has read another one.
  const head = (await store.head()) ?? '';
  const furthest = rows.reduce<Row | undefined>((best, row) => {
    const place = row.position ?? '';
    return place <= head && place > (best?.position ?? '') ? row : best;
  }, undefined);
  return (furthest?.ordinal ?? 0) + (await store.countAfter(furthest?.position ?? undefined, COUNTED));
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
  const isReady = indexed && error === null && ordinal + READY_WITHIN >= (live?.ordinal ?? 0);
  return { ...progressOf(row, log), isHeld: hold, isReady, isWayBack: switchedAt !== null, error, startedAt };
}

function progressOf(row: Row, goal: number): WorkProgress {
  const done = row.ordinal;
  const total = Math.max(goal, done);
  const eventsPerSecond = rateOf(row);
  const secondsLeft = eventsPerSecond > 0 ? (total - done) / eventsPerSecond : null;
  return { generation: row.generation, done, total, eventsPerSecond, secondsLeft };
}

/** What is left of a rate after a while is no rate. */
function rateOf(row: Row | undefined): number {
  const rate = row?.rate ?? 0;
  return rate < 0.05 ? 0 : rate;
}
