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
import { lockLive, MAX_FINAL_EVENTS, withShortLocks } from '../generations/switch-generation.js';
import {
  type Differences,
  findDifferences,
  BEGIN_SNAPSHOT,
  canonicalHash,
  hashTables,
  lockTables,
} from '../storage/compare-tables.js';
import { LeaseLostError } from '../bookkeeping/leases.js';
import { type Generation, listGenerations } from '../generations/generations.js';
import type { GenerationRunner } from './generation-runner.js';
import { generationTable, shapeHash, tableShapes } from '../storage/table-shape.js';
import type { Queryable } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

const FINISHED_NAMESPACE = '3f6f0e0a-2b0f-5c39-8f0e-6a9b0a5f7d11';

type Compared = NonNullable<VerificationTask['compared']>;
/** A rewrite of the log during an attempt requires another one. */
const MAX_ATTEMPTS = 5;
const PAGE_SIZE = 1_000;
const RETRY_DELAY_MS = 500;
const OTHER_CODE = 'The live generation was built by a different version of the code.';

type Result = Omit<ProjectionVerificationFinished['data'], 'projection'>;

/** Replays the log into a scratch generation up to the position of a snapshot of the live one, and compares both. */
export class Verification {
  constructor(
    private readonly pool: Pool,
    private readonly store: EventStore,
    private readonly projection: Projection,
    private readonly row: Generation,
    /** Owner of its lease. */
    private readonly owner: string,
    /** Event types that change how earlier events read, such as erasures. */
    private readonly rewriting: ReadonlySet<string>,
  ) {}

  /** Resumes an interrupted verification. */
  async run(load: () => Promise<GenerationRunner>, signal: AbortSignal): Promise<void> {
    const { verification: task, error, shapeHash: hash } = this.row;
    if (task === null) return;
    const result =
      error !== null
        ? failed(`Stopped at event ${error.eventId}: ${error.message}`, this.row.ordinal)
        : hash === shapeHash(this.projection)
          ? await this.compare(task, load, signal)
          : failed(OTHER_CODE, 0);
    if (result) await this.finish(task, result);
  }

  private async compare(
    task: VerificationTask,
    load: () => Promise<GenerationRunner>,
    signal: AbortSignal,
    attemptsLeft = MAX_ATTEMPTS,
  ): Promise<Result | undefined> {
    const compared = task.compared ?? (await this.snapshotLive(task));
    if (compared === undefined) return failed(OTHER_CODE, 0);
    const { ordinal, position, hash: liveHash } = compared;
    if (position !== null) await (await load()).rebuildUpTo(position, signal);
    if (signal.aborted) return undefined;
    const rebuiltHash = await canonicalHash(this.pool, this.projection, this.row.generation);
    if (rebuiltHash !== liveHash && attemptsLeft > 0 && (await this.logWasRewrittenAfter(position))) {
      // The live generation may not have applied the rewrite yet.
      await pause(RETRY_DELAY_MS, signal);
      await this.restart(task);
      return this.compare({ actId: task.actId }, load, signal, attemptsLeft - 1);
    }
    if (rebuiltHash === liveHash) return { outcome: 'EQUAL', ordinal, liveHash, rebuiltHash, error: null };
    const differing = await this.recordDifferences(task, await load(), signal);
    return { outcome: 'DIFFERENT', ordinal, liveHash, rebuiltHash, error: null, ...differing };
  }

  /**
   * The live generation has advanced since the snapshot, so both are compared at its current position, and rows corrected since are not
   * reported. Keys are stored with the task; the log only gets counts.
   */
  private async recordDifferences(
    { actId }: VerificationTask,
    runner: GenerationRunner,
    signal: AbortSignal,
  ): Promise<Pick<Result, 'differing'>> {
    const found = await this.compareTables(runner, signal);
    if (found === undefined) return {};
    await this.pool.query(
      `update read.projection_generations set verification = verification || $3::jsonb
       where name = $1 and generation = $2 and verification ->> 'actId' = $4`,
      [this.projection.name, this.row.generation, JSON.stringify({ named: found.named }), actId],
    );
    return { differing: found.tables };
  }

  /** @returns undefined if the live generation was built by a different code version or cannot be caught up with */
  private async compareTables(
    runner: GenerationRunner,
    signal: AbortSignal,
  ): Promise<Differences | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !signal.aborted; attempt += 1) {
      const live = await this.live(this.pool);
      if (live === undefined) return undefined;
      if (live.position !== null) await runner.catchUp(signal, live.position);
      const both = { live: live.generation, rebuilt: this.row.generation };
      const found = await inTransaction(
        this.pool,
        async (client) => {
          await lockTables(client, this.projection, both.live, both.rebuilt);
          const hasCaughtUp = await this.catchUpWithLive(live, runner, {
            signal,
            // The first query takes the snapshot of this transaction.
            onCaughtUp: () => client.query('select 1'),
          });
          return hasCaughtUp ? findDifferences(client, this.projection, both) : undefined;
        },
        BEGIN_SNAPSHOT,
      );
      if (found) return found;
    }
    return undefined;
  }

  /** Pauses the live generation and catches up with it. @returns false if it was too far ahead or is no longer live */
  private async catchUpWithLive(
    { generation }: Generation,
    runner: GenerationRunner,
    { signal, onCaughtUp }: { readonly signal: AbortSignal; readonly onCaughtUp: () => Promise<unknown> },
  ): Promise<boolean> {
    return withShortLocks(this.pool, async (client) => {
      await lockLive(client, this.projection.name);
      const live = await this.live(client);
      if (live?.generation !== generation || live.ordinal - runner.checkpoint.ordinal > MAX_FINAL_EVENTS)
        return false;
      if (live.position !== null) await runner.catchUp(signal, live.position);
      if (signal.aborted) return false;
      await onCaughtUp();
      return true;
    });
  }

  /** If so, earlier events read differently from when the live generation folded them. It corrects its rows when it applies the rewrite. */
  private async logWasRewrittenAfter(position: string | null): Promise<boolean> {
    let after = position;
    for (;;) {
      const page = await this.store.readAll({ ...(after !== null && { after }), limit: PAGE_SIZE });
      if (page.some(({ type }) => this.rewriting.has(type))) return true;
      if (page.length < PAGE_SIZE) return false;
      after = page.at(-1)?.position ?? after;
    }
  }

  /** Requires the lease, because another holder would fold into the same tables. @throws LeaseLostError */
  private async restart({ actId }: VerificationTask): Promise<void> {
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

  /** Stores the hash and position of the live generation, and copies its skipped events. @returns undefined if a different code version built it */
  private async snapshotLive(task: VerificationTask): Promise<Compared | undefined> {
    const { name } = this.projection;
    const live = await this.live(this.pool);
    if (live === undefined) return undefined;
    const snapshot = await inTransaction(this.pool, (client) => this.hashLive(client, live), BEGIN_SNAPSHOT);
    // Another generation has become live.
    if (snapshot === undefined) return this.snapshotLive(task);
    const { position, ordinal, skipped } = snapshot.live;
    const compared: Compared = { hash: snapshot.hash, position, ordinal };
    await this.pool.query(
      `update read.projection_generations set verification = $3, skipped = $4
       where name = $1 and generation = $2`,
      [name, this.row.generation, JSON.stringify({ ...task, compared }), JSON.stringify(skipped)],
    );
    return compared;
  }

  private async hashLive(
    client: Queryable,
    { generation }: Generation,
  ): Promise<{ readonly live: Generation; readonly hash: string } | undefined> {
    await lockTables(client, this.projection, generation);
    const live = await this.live(client);
    if (live?.generation !== generation) return undefined;
    return { live, hash: await hashTables(client, this.projection, generation) };
  }

  /** @returns undefined if a different code version built it */
  private async live(client: Queryable): Promise<Generation | undefined> {
    const generations = await listGenerations(client, [this.projection.name]);
    const live = generations.find(({ status }) => status === 'live');
    return live?.shapeHash === shapeHash(this.projection) ? live : undefined;
  }

  /** Appends the result under an id derived from the request, so that it is stored once. */
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
        events: [
          { id: uuidv5(actId, FINISHED_NAMESPACE), type: 'ProjectionVerificationFinished', data, metadata },
        ],
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
