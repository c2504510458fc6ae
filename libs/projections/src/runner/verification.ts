import type { EventStore } from '@nimo/event-store';
import {
  type EventMetadata,
  type EventType,
  type ProjectionVerificationFinished,
  projectionStream,
} from '@nimo/domain';
import type { Pool } from 'pg';
import { v5 as uuidv5 } from 'uuid';
import { pause } from '../pause.js';
import type { Projection } from '../projection.js';
import type { VerificationTask } from './bookkeeping.js';
import { BEGIN_SNAPSHOT, canonicalHash, hashTables, keepTables } from './canonical-hash.js';
import { LeaseLostError } from './checkpoint.js';
import { type Generation, listGenerations } from './generations.js';
import type { GenerationRunner } from './generation-runner.js';
import { generationTable, shapeHash, tableShapes } from './table-shape.js';
import type { Querying } from './table-statements.js';
import { inTransaction } from './transaction.js';

const FINISHED = '3f6f0e0a-2b0f-5c39-8f0e-6a9b0a5f7d11';

type Compared = NonNullable<VerificationTask['compared']>;
/** Each begins because somebody was erased meanwhile. */
const MOST_TRIES = 5;
const PAGE = 1_000;
const REST_MS = 500;
const ERASED: EventType = 'StudentErased';
const OTHER_CODE = 'The live generation was made by other code.';

type Result = Omit<ProjectionVerificationFinished['data'], 'projection'>;

/** Folds the log into a third place, up to where the live generation was when it was looked at, and compares. */
export class Verification {
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly projection: Projection,
    private readonly row: Generation,
    /** Of its lease. */
    private readonly owner: string,
  ) {}

  /** What was done before an interruption is not done again. */
  async run(load: () => Promise<GenerationRunner>, signal: AbortSignal): Promise<void> {
    const { verification: task, error, shapeHash: hash } = this.row;
    if (task === null) return;
    const result =
      error !== null
        ? failed(`It stopped at event ${error.eventId}: ${error.message}`, this.row.ordinal)
        : hash === shapeHash(this.projection)
          ? await this.compare(task, load, signal)
          : failed(OTHER_CODE, 0);
    if (result) await this.finish(task, result);
  }

  private async compare(
    task: VerificationTask,
    load: () => Promise<GenerationRunner>,
    signal: AbortSignal,
    triesLeft = MOST_TRIES,
  ): Promise<Result | undefined> {
    const compared = task.compared ?? (await this.lookAtLive(task));
    if (compared === undefined) return failed(OTHER_CODE, 0);
    const { ordinal, position, hash: liveHash } = compared;
    if (position !== null) await (await load()).catchUp(signal, position);
    if (signal.aborted) return undefined;
    const rebuiltHash = await canonicalHash(this.pool, this.projection, this.row.generation);
    if (rebuiltHash !== liveHash && triesLeft > 0 && (await this.someoneWasErasedAfter(position))) {
      // The live one may not have come to it yet.
      await pause(REST_MS, signal);
      await this.beginAnew(task);
      return this.compare({ actId: task.actId }, load, signal, triesLeft - 1);
    }
    const outcome = rebuiltHash === liveHash ? 'EQUAL' : 'DIFFERENT';
    return { outcome, ordinal, liveHash, rebuiltHash, error: null };
  }

  /** Then the log reads otherwise than when the live one folded it, which blanks the person's rows a moment later. */
  private async someoneWasErasedAfter(position: string | null): Promise<boolean> {
    let after = position;
    for (;;) {
      const page = await this.store.readAll({ ...(after !== null && { after }), limit: PAGE });
      if (page.some(({ type }) => type === ERASED)) return true;
      if (page.length < PAGE) return false;
      after = page.at(-1)?.position ?? after;
    }
  }

  /** Without the lease nothing is emptied: whoever took over folds into the same tables. */
  private async beginAnew({ actId }: VerificationTask): Promise<void> {
    const { name } = this.projection;
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `update read.projection_generations set position = null, ordinal = 0, verification = $4
         where name = $1 and generation = $2 and owner = $3 and expires_at > clock_timestamp()`,
        [name, this.row.generation, this.owner, JSON.stringify({ actId })],
      );
      if (rowCount === 0)
        throw new LeaseLostError(`${name}:${this.row.generation} is no longer led by this process`);
      const tables = tableShapes(this.projection).map((shape) =>
        generationTable(shape.name, this.row.generation),
      );
      await client.query(`truncate ${tables.join(', ')}`);
    });
  }

  /** The live one's own skips are left out here as well, and no others. */
  private async lookAtLive(task: VerificationTask): Promise<Compared | undefined> {
    const { name } = this.projection;
    const live = await this.live(this.pool);
    if (live === undefined) return undefined;
    const seen = await inTransaction(this.pool, (client) => this.hashLive(client, live), BEGIN_SNAPSHOT);
    // It was switched meanwhile.
    if (seen === undefined) return this.lookAtLive(task);
    const { position, ordinal, skipped } = seen.live;
    const compared: Compared = { hash: seen.hash, position, ordinal };
    await this.pool.query(
      `update read.projection_generations set verification = $3, skipped = $4
       where name = $1 and generation = $2`,
      [name, this.row.generation, JSON.stringify({ ...task, compared }), JSON.stringify(skipped)],
    );
    return compared;
  }

  private async hashLive(
    client: Querying,
    { generation }: Generation,
  ): Promise<{ readonly live: Generation; readonly hash: string } | undefined> {
    await keepTables(client, this.projection, generation);
    const live = await this.live(client);
    if (live?.generation !== generation) return undefined;
    return { live, hash: await hashTables(client, this.projection, generation) };
  }

  /** Undefined where other code made it. */
  private async live(client: Querying): Promise<Generation | undefined> {
    const generations = await listGenerations(client, [this.projection.name]);
    const live = generations.find(({ status }) => status === 'live');
    return live?.shapeHash === shapeHash(this.projection) ? live : undefined;
  }

  /** In the log first, under an id that follows from the request: whoever does it again writes nothing. */
  private async finish({ actId }: VerificationTask, result: Result): Promise<void> {
    const now = new Date().toISOString();
    const metadata: EventMetadata = {
      occurredAt: now,
      recordedAt: now,
      actor: { kind: 'system' },
      commandId: uuidv5('command', actId),
      correlationId: actId,
      causationId: actId,
      schemaVersion: 1,
    };
    const data = { projection: this.projection.name, ...result };
    await this.store.append([
      {
        streamId: projectionStream(this.projection.name),
        expectedRevision: 'any',
        events: [{ id: uuidv5(actId, FINISHED), type: 'ProjectionVerificationFinished', data, metadata }],
      },
    ]);
  }
}

const failed = (error: string, ordinal: number): Result => ({
  outcome: 'FAILED',
  ordinal,
  liveHash: null,
  rebuiltHash: null,
  error,
});
