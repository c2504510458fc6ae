import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, SCORING_TRIAL_MINUTES, type ScoringRules } from '@nimo/domain';
import { compareRulesSql, TRIAL_COLUMNS, weightsOf } from '@nimo/projections';
import { newClient } from '@nimo/event-store';
import pg, { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';

/** Nobody waits longer for an answer. */
const MAX_SECONDS = 60;
const STOPPED = '57014';
/** A trial takes memory and processors for seconds, as a publication does. */
const SETTINGS_OF_A_TRIAL = `
  set local work_mem = '128MB'; set local parallel_setup_cost = 100; set local parallel_tuple_cost = 0.005`;

export interface Trial {
  readonly trialId: string;
  readonly effectiveFrom: string | null;
  readonly madeAt: string;
  readonly tookMs: number;
}

interface TrialColumns {
  trial_id: string;
  effective_from: Date | string | null;
  made_at: Date | string;
  took_ms: number;
}

export interface TrialWish {
  /** Who tries: has one trial at a time, and its latest result is kept for some minutes. */
  readonly owner: string;
  /** All versions, as they would be. */
  readonly versions: readonly ScoringRules[];
  readonly effectiveFrom: string | null;
  /** Whoever comes second waits and shares the result; without it the second is refused. */
  readonly isShared?: true;
}

const COLUMNS = 'trial_id, effective_from, made_at, took_ms';

/**
 * Rules against the whole history, beside what is read. On a connection of its own: the others are for those who use the product.
 * The result is rows of nobody's log, which expire.
 */
@Injectable()
export class ScoringTrials {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError where the owner has one under way, or stopped it */
  async run(wish: TrialWish): Promise<Trial> {
    const { owner, isShared } = wish;
    const connectionString = this.settings.databaseDirectUrl ?? this.settings.databaseUrl;
    const client = newClient({
      connectionString,
      application_name: nameOf(owner),
      statement_timeout: MAX_SECONDS * 1000,
    });
    await client.connect();
    try {
      if (isShared) {
        await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [nameOf(owner)]);
        const found = await this.latestOf(owner);
        if (found) return found;
      } else {
        const { rows } = await client.query<{ isMine: boolean }>(
          'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isMine"',
          [nameOf(owner)],
        );
        if (!rows[0]?.isMine) throw new DomainError('SCORING_TRIAL_RUNNING');
      }
      return await compare(client, wish);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === STOPPED)
        throw new DomainError('SCORING_TRIAL_STOPPED');
      throw error;
    } finally {
      await client.end();
    }
  }

  /** Ends what the owner has under way, in whatever process. @returns false where there was nothing */
  async stop(owner: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ stopped: boolean }>(
      `select pg_cancel_backend(pid) as stopped from pg_stat_activity
       where datname = current_database() and application_name = $1 and state = 'active'`,
      [nameOf(owner)],
    );
    return rows.some(({ stopped }) => stopped);
  }

  /** The latest result of that owner, as long as it is kept. */
  async latestOf(owner: string): Promise<Trial | null> {
    return this.find('owner = $1', owner);
  }

  /** @throws DomainError SCORING_TRIAL_GONE when it expired or another took its place */
  async get(trialId: string): Promise<Trial> {
    const trial = await this.find('trial_id = $1', trialId);
    if (!trial) throw new DomainError('SCORING_TRIAL_GONE');
    return trial;
  }

  private async find(condition: string, value: string): Promise<Trial | null> {
    const { rows } = await this.pool.query<TrialColumns>({
      text: `select ${COLUMNS} from state.scoring_trials where ${condition} and expires_at > clock_timestamp()`,
      values: [value],
    });
    return rows[0] ? trialFrom(rows[0]) : null;
  }
}

/** Shown by the server beside the connection, which is how a trial is found again to be stopped. */
const nameOf = (owner: string): string => `nimo trial ${owner}`;

async function compare(client: pg.Client, { owner, versions, effectiveFrom }: TrialWish): Promise<Trial> {
  const start = performance.now();
  const trialId = randomUUID();
  await client.query(`begin; ${SETTINGS_OF_A_TRIAL}`);
  // Only what makes a table of a query is read by parallel workers.
  await client.query(`create temporary table trial on commit drop as ${compareRulesSql()}`, [
    weightsOf(versions),
  ]);
  await client.query(
    `with gone as (
       delete from state.scoring_trials where owner = $1 or expires_at < clock_timestamp() returning trial_id
     )
     delete from state.scoring_trial_rows r using gone where r.trial_id = gone.trial_id`,
    [owner],
  );
  const columns = TRIAL_COLUMNS.join(', ');
  await client.query(
    `insert into state.scoring_trial_rows (trial_id, ${columns}) select $1, ${columns} from trial`,
    [trialId],
  );
  const { rows } = await client.query<TrialColumns>(
    `insert into state.scoring_trials (trial_id, owner, effective_from, made_at, took_ms, expires_at)
     values ($1, $2, $3, clock_timestamp(), $4, clock_timestamp() + interval '${SCORING_TRIAL_MINUTES} minutes')
     returning ${COLUMNS}`,
    [trialId, owner, effectiveFrom, Math.round(performance.now() - start)],
  );
  await client.query('commit');
  if (!rows[0]) throw new TypeError('an insert that returns nothing');
  return trialFrom(rows[0]);
}

const trialFrom = (row: TrialColumns): Trial => ({
  trialId: row.trial_id,
  effectiveFrom: row.effective_from === null ? null : new Date(row.effective_from).toISOString(),
  madeAt: new Date(row.made_at).toISOString(),
  tookMs: row.took_ms,
});
