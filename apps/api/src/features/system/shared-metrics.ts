import { statfs } from 'node:fs/promises';
import { type EventStore, knownMisfits, readMark, type VerifiedMark } from '@nimo/event-store';
import { believedLogKeys } from '../log-proof/log-chain.js';
import { projections } from '@nimo/projections';
import { countWorkers, projectionStatus, type ProjectionStatus } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { HealthReport, PartHealth } from '../../platform/operations/health.js';
import type { Metrics } from '../../platform/operations/metrics.js';

/** One look serves the gauges of one scrape. */
const KEPT_MS = 1_000;
const UP: Readonly<Record<PartHealth['status'], number>> = { up: 1, degraded: 0.5, down: 0 };

export interface MeasuredParts {
  readonly metrics: Metrics;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly jobs: JobQueues;
  readonly settings: Settings;
  readonly health: HealthReport;
}

/**
 * What belongs to the installation and not to a process. Every process tells it, so that it is still told when the workers
 * are gone: take the maximum over the processes, not the sum.
 */
export function watchShared({ metrics, pool, store, jobs, settings, health }: MeasuredParts): void {
  const statuses = keeping(() => projectionStatus({ pool, store, projections }));
  watchProjections(metrics, statuses);
  watchProof(metrics, pool, settings);
  metrics.watch('nimo_projection_workers', 'Workers that share the projections.', [], async (gauge) =>
    gauge.set(await countWorkers(pool)),
  );
  metrics.watch('nimo_jobs', 'Jobs in each queue.', ['queue', 'state'], async (gauge) => {
    for (const { queue, states } of await jobs.depths())
      for (const [state, count] of Object.entries(states)) gauge.set({ queue, state }, count);
  });
  metrics.watch(
    'nimo_backup_timestamp_seconds',
    'When the newest back-up was made that was verified.',
    [],
    async (gauge) => {
      const { rows } = await pool.query<{ seconds: number | null }>(
        'select extract(epoch from max(made_at))::float8 as seconds from state.back_up',
      );
      const seconds = rows[0]?.seconds ?? undefined;
      if (seconds !== undefined) gauge.set(seconds);
    },
  );
  metrics.watch(
    'nimo_part_up',
    'How a process sees each part: 1 up, 0.5 degraded, 0 down.',
    ['part'],
    async (gauge) => {
      for (const [part, { status }] of Object.entries((await health.ready()).parts))
        gauge.set({ part }, UP[status]);
    },
  );
  metrics.watch('nimo_disk_free_bytes', 'Room on the disk of NIMO_DATA_DIR.', [], async (gauge) => {
    const { bavail, bsize } = await statfs(settings.dataDir);
    gauge.set(bavail * bsize);
  });
}

function watchProof(metrics: Metrics, pool: Pool, settings: Settings): void {
  metrics.watch(
    'nimo_log_misfits',
    'What does not fit between the log, its chain and what was signed; 0 is well.',
    [],
    async (gauge) => gauge.set((await knownMisfits(pool)).length),
  );
  const mark = keeping(() => readMark(pool, believedLogKeys(settings)));
  const ofMark = (name: string, help: string, value: (mark: VerifiedMark) => number | undefined): void =>
    metrics.watch(name, help, [], async (gauge) => {
      const read = await mark();
      const found = read.kind === 'genuine' ? value(read.mark) : undefined;
      if (found !== undefined) gauge.set(found);
    });
  const seconds = (at: string): number => Date.parse(at) / 1000;
  ofMark('nimo_log_verified_ordinal', 'Last event that was verified.', ({ tail }) => tail.ordinal);
  ofMark('nimo_log_verified_timestamp_seconds', 'When new events were last verified.', ({ at }) =>
    seconds(at),
  );
  ofMark(
    'nimo_log_whole_verified_timestamp_seconds',
    'When the whole log was last found to fit.',
    ({ whole }) => (whole === null ? undefined : seconds(whole.at)),
  );
}

function watchProjections(metrics: Metrics, statuses: () => Promise<readonly ProjectionStatus[]>): void {
  const each = (name: string, help: string, value: (status: ProjectionStatus) => number | null): void =>
    metrics.watch(name, help, ['projection'], async (gauge) => {
      for (const status of await statuses()) {
        const found = value(status);
        if (found !== null) gauge.set({ projection: status.name }, found);
      }
    });
  each(
    'nimo_projection_lag_events',
    'Events that a projection has not applied.',
    ({ lagEvents }) => lagEvents,
  );
  each(
    'nimo_projection_lag_seconds',
    'Age of the oldest event that a projection has not applied.',
    ({ lagMs }) => lagMs / 1000,
  );
  each('nimo_projection_stopped', '1 where a projection stands at a bad event.', ({ state }) =>
    Number(state === 'STOPPED'),
  );
  each(
    'nimo_projection_ahead',
    '1 where a projection has read more than the log has, which was brought back from an older copy.',
    ({ state }) => Number(state === 'AHEAD'),
  );
  each('nimo_projection_led', '1 where a worker runs the projection.', ({ live }) =>
    Number(live?.leader != null),
  );
  each('nimo_projection_rebuild_ratio', 'How much of the log a rebuild has passed.', ({ rebuild }) =>
    rebuild ? (rebuild.total === 0 ? 1 : rebuild.done / rebuild.total) : null,
  );
}

function keeping<Value>(look: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now - kept.at > KEPT_MS) kept = { at: now, value: look() };
    return kept.value;
  };
}
