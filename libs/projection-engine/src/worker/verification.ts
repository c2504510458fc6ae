import type { EventStore } from '@nimo/event-store';
import {
  type CommandMetadata,
  maintenanceStream,
  type ProjectionVerificationFinished,
} from '../bookkeeping/maintenance-commands.js';
import type { Pool } from 'pg';
import { v5 as uuidv5 } from 'uuid';
import { pause } from '../scheduling.js';
import type { Projection } from '../projection.js';
import type { VerificationTask } from '../bookkeeping/bookkeeping.js';
import { holdLive, LAST_STEP, whileHeld } from '../generations/switch-generation.js';
import {
  type Differences,
  findDifferences,
  BEGIN_SNAPSHOT,
  canonicalHash,
  hashTables,
  keepTables,
} from '../storage/compare-tables.js';
import { LeaseLostError } from '../bookkeeping/leases.js';
import { type Generation, listGenerations } from '../generations/generations.js';
import type { GenerationRunner } from './generation-runner.js';
import { generationTable, shapeHash, tableShapes } from '../storage/table-shape.js';
import type { Querying } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

const FINISHED = '3f6f0e0a-2b0f-5c39-8f0e-6a9b0a5f7d11';

type Compared = NonNullable<VerificationTask['compared']>;
/** Each begins because the log was rewritten meanwhile. */
const MAX_ATTEMPTS = 5;
const PAGE = 1_000;
const REST_MS = 500;
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
    /** Types of events after which those before them read otherwise: an erasure. */
    private readonly rewriting: ReadonlySet<string>,
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
    triesLeft = MAX_ATTEMPTS,
  ): Promise<Result | undefined> {
    const compared = task.compared ?? (await this.lookAtLive(task));
    if (compared === undefined) return failed(OTHER_CODE, 0);
    const { ordinal, position, hash: liveHash } = compared;
    if (position !== null) await (await load()).rebuildUpTo(position, signal);
    if (signal.aborted) return undefined;
    const rebuiltHash = await canonicalHash(this.pool, this.projection, this.row.generation);
    if (rebuiltHash !== liveHash && triesLeft > 0 && (await this.logWasRewrittenAfter(position))) {
      // The live one may not have come to it yet.
      await pause(REST_MS, signal);
      await this.startAgain(task);
      return this.compare({ actId: task.actId }, load, signal, triesLeft - 1);
    }
    if (rebuiltHash === liveHash) return { outcome: 'EQUAL', ordinal, liveHash, rebuiltHash, error: null };
    const differing = await this.nameDifferences(task, await load(), signal);
    return { outcome: 'DIFFERENT', ordinal, liveHash, rebuiltHash, error: null, ...differing };
  }

  /**
   * The live one has moved on since it was hashed: both are looked at where it is now. A row that was made right meanwhile is no longer
   * named. Keys are kept beside the task; the log has only how many there are.
   */
  private async nameDifferences(
    { actId }: VerificationTask,
    runner: GenerationRunner,
    signal: AbortSignal,
  ): Promise<Pick<Result, 'differing'>> {
    const found = await this.lookAtBoth(runner, signal);
    if (found === undefined) return {};
    await this.pool.query(
      `update read.projection_generations set verification = verification || $3::jsonb
       where name = $1 and generation = $2 and verification ->> 'actId' = $4`,
      [this.projection.name, this.row.generation, JSON.stringify({ named: found.named }), actId],
    );
    return { differing: found.tables };
  }

  /** Undefined where the live one was switched or cannot be caught up with. */
  private async lookAtBoth(runner: GenerationRunner, signal: AbortSignal): Promise<Differences | undefined> {
    for (let tries = MAX_ATTEMPTS; tries > 0 && !signal.aborted; tries -= 1) {
      const live = await this.live(this.pool);
      if (live === undefined) return undefined;
      if (live.position !== null) await runner.catchUp(signal, live.position);
      const both = { live: live.generation, rebuilt: this.row.generation };
      const found = await inTransaction(
        this.pool,
        async (client) => {
          await keepTables(client, this.projection, both.live, both.rebuilt);
          const haveMet = await this.meet(live, runner, {
            signal,
            // The first look of its transaction: what it sees is what there is now, for as long as it looks.
            onMet: () => client.query('select 1'),
          });
          return haveMet ? findDifferences(client, this.projection, both) : undefined;
        },
        BEGIN_SNAPSHOT,
      );
      if (found) return found;
    }
    return undefined;
  }

  /** Holds the live one for its last few events. @returns false where it was too far ahead, or another one is live now */
  private async meet(
    { generation }: Generation,
    runner: GenerationRunner,
    { signal, onMet }: { readonly signal: AbortSignal; readonly onMet: () => Promise<unknown> },
  ): Promise<boolean> {
    return whileHeld(this.pool, async (client) => {
      await holdLive(client, this.projection.name);
      const live = await this.live(client);
      if (live?.generation !== generation || live.ordinal - runner.checkpoint.ordinal > LAST_STEP)
        return false;
      if (live.position !== null) await runner.catchUp(signal, live.position);
      if (signal.aborted) return false;
      await onMet();
      return true;
    });
  }

  /** Then the log reads otherwise than when the live one folded it, which makes up for it a moment later. */
  private async logWasRewrittenAfter(position: string | null): Promise<boolean> {
    let after = position;
    for (;;) {
      const page = await this.store.readAll({ ...(after !== null && { after }), limit: PAGE });
      if (page.some(({ type }) => this.rewriting.has(type))) return true;
      if (page.length < PAGE) return false;
      after = page.at(-1)?.position ?? after;
    }
  }

  /** Only with the lease: another holder would fold into the same tables. */
  private async startAgain({ actId }: VerificationTask): Promise<void> {
    const { name } = this.projection;
    await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(
        `update read.projection_generations set position = null, ordinal = 0, indexed = false, verification = $4
         where name = $1 and generation = $2 and owner = $3 and expires_at > clock_timestamp()`,
        [name, this.row.generation, this.owner, JSON.stringify({ actId })],
      );
      if (rowCount === 0) throw new LeaseLostError({ name, generation: this.row.generation });
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

  /** In the log first, under an id derived from the request, so that it is stored once. */
  private async finish({ actId }: VerificationTask, result: Result): Promise<void> {
    const now = new Date().toISOString();
    const metadata: CommandMetadata = {
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
        streamId: maintenanceStream(this.projection.name),
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
