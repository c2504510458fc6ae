import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, SCORING_TRIAL_MINUTES, type ScoringRules } from '@nimo/domain';
import { compareRulesSql, TRIAL_COLUMNS, weightsOf } from '@nimo/projections';
import { newClient } from '@nimo/event-store';
import pg, { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/config/tokens.js';

/** Statement timeout of a trial. */
const MAX_SECONDS = 60;
const QUERY_CANCELED = '57014';
/** A trial uses more memory and parallel workers for a few seconds, as publishing does. */
const TRIAL_SETTINGS = `
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

export interface TrialRequest {
  /** Owner of the trial. Each has one at a time, and its latest result is kept for some minutes. */
  readonly owner: string;
  /** All versions of the rules to apply. */
  readonly versions: readonly ScoringRules[];
  readonly effectiveFrom: string | null;
  /** Concurrent callers wait and share the result instead of being refused. */
  readonly isShared?: true;
}

const COLUMNS = 'trial_id, effective_from, made_at, took_ms';

/**
 * Applies scoring rules to the entire history without changing any scores. Runs on its own connection, not one from the pool. The result is
 * stored outside of the log and expires.
 */
@Injectable()
export class ScoringTrials {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws DomainError SCORING_TRIAL_RUNNING if the owner has one running, SCORING_TRIAL_STOPPED if it was stopped */
  async run(request: TrialRequest): Promise<Trial> {
    const { owner, isShared } = request;
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
      return await compare(client, request);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === QUERY_CANCELED)
        throw new DomainError('SCORING_TRIAL_STOPPED');
      throw error;
    } finally {
      await client.end();
    }
  }

  /** Cancels the owner's running trial, in any process. @returns false if there was none */
  async stop(owner: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ stopped: boolean }>(
      `select pg_cancel_backend(pid) as stopped from pg_stat_activity
       where datname = current_database() and application_name = $1 and state = 'active'`,
      [nameOf(owner)],
    );
    return rows.some(({ stopped }) => stopped);
  }

  /** Latest unexpired result of the owner. */
  async latestOf(owner: string): Promise<Trial | null> {
    return this.find('owner = $1', owner);
  }

  /** @throws DomainError SCORING_TRIAL_GONE if it expired or was replaced */
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

/** Application name of the connection, by which `stop` finds it in `pg_stat_activity`. */
const nameOf = (owner: string): string => `nimo trial ${owner}`;

async function compare(client: pg.Client, { owner, versions, effectiveFrom }: TrialRequest): Promise<Trial> {
  const start = performance.now();
  const trialId = randomUUID();
  await client.query(`begin; ${TRIAL_SETTINGS}`);
  // CREATE TABLE AS allows a parallel plan, INSERT does not.
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
