import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER } from '../../platform/config/tokens.js';
import type { Tombstone } from './tombstones.js';
import { type Counts, ErasureSteps } from './erasure-steps.js';
import { RetryLaterError } from './post-words.js';

type StepName = keyof ErasureSteps['all'];

interface Erasure {
  readonly studentId: string;
  readonly dueAt: string;
  readonly done: readonly string[];
  readonly report: Counts;
  readonly finishedAt: string | null;
}

const SELECT = `select student_id as "studentId", due_at as "dueAt", done, report, finished_at as "finishedAt" from state.erasure`;

/** Runs due erasures step by step. Completed steps are stored, so that another process can resume after a crash. */
@Injectable()
export class Erasures {
  constructor(
    private readonly pool: Pool,
    private readonly steps: ErasureSteps,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs until no due erasure can proceed. @returns the number finished */
  async runDue(signal?: AbortSignal): Promise<number> {
    let finished = 0;
    for (;;) {
      const more = await this.runBatch();
      finished += more;
      if (more === 0 || signal?.aborted) return finished;
    }
  }

  private async runBatch(): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select student_id as id from state.erasure where finished_at is null and due_at <= clock_timestamp() order by due_at limit 20`,
    );
    let finished = 0;
    for (const { id } of rows) {
      try {
        await this.finish(id);
        finished += 1;
      } catch (error) {
        if (!(error instanceof RetryLaterError)) throw error;
        this.logger.warn({ studentId: id, reason: error.message }, 'erasure postponed');
      }
    }
    return finished;
  }

  async find(studentId: string): Promise<Erasure | undefined> {
    const { rows } = await this.pool.query<Erasure>(`${SELECT} where student_id = $1`, [studentId]);
    return rows[0];
  }

  /** @throws RetryLaterError if it has to be retried later */
  async finish(studentId: string): Promise<void> {
    const erasure = await this.find(studentId);
    if (!erasure || erasure.finishedAt !== null) return;
    for (const [name, step] of Object.entries(this.steps.all) as [StepName, Step][]) {
      if (erasure.done.includes(name)) continue;
      const counts = await step(studentId);
      await this.storeProgress(studentId, name, counts);
    }
    await this.pool.query('update state.erasure set finished_at = now() where student_id = $1', [studentId]);
    const report = (await this.find(studentId))?.report;
    this.logger.info({ studentId, report }, 'student erased');
  }

  /** Erases students again whose data came back with a restored backup. @returns how many */
  async eraseRestored(tombstones: readonly Tombstone[]): Promise<number> {
    let count = 0;
    for (const tombstone of tombstones) {
      if (!(await this.steps.restored(tombstone))) continue;
      await this.pool.query(
        `insert into state.erasure (student_id, due_at, done) values ($1, now(), '{student}')
         on conflict (student_id) do update set done = excluded.done, finished_at = null`,
        [tombstone.studentId],
      );
      await this.finish(tombstone.studentId);
      count += 1;
    }
    return count;
  }

  private async storeProgress(studentId: string, name: StepName, counts: Counts): Promise<void> {
    await this.pool.query(
      `update state.erasure set done = done || $2::text,
         report = report || (select coalesce(jsonb_object_agg(key, value::bigint + coalesce((report ->> key)::bigint, 0)), '{}')
                             from jsonb_each_text($3::jsonb))
       where student_id = $1`,
      [studentId, name, JSON.stringify(counts)],
    );
  }
}

type Step = (studentId: string) => Promise<Counts>;

const TYPES = ['ErasureAsked', 'ErasureWithdrawn'] as const;
type HandledType = (typeof TYPES)[number];

/** Schedules requested erasures and removes withdrawn ones. */
@Injectable()
export class ErasureReactor implements Reactor<HandledType> {
  readonly name = 'erasures';
  readonly startsAt = 'beginning';
  readonly types = TYPES;

  constructor(private readonly pool: Pool) {}

  async handle({ type, data }: ReactorEvent<HandledType>): Promise<void> {
    if (type === 'ErasureAsked') await scheduleErasure(this.pool, data.studentId, data.dueAt);
    else
      await this.pool.query(`delete from state.erasure where student_id = $1 and done = '{}'`, [
        data.studentId,
      ]);
  }
}

const scheduleErasure = (pool: Pool, studentId: string, dueAt: string): Promise<unknown> =>
  pool.query(
    `insert into state.erasure as e (student_id, due_at) values ($1, $2)
     on conflict (student_id) do update set due_at = excluded.due_at where e.done = '{}'`,
    [studentId, dueAt],
  );
