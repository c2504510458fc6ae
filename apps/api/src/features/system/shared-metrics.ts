import { statfs } from 'node:fs/promises';
import { type EventStore, readMismatches, readMark, type VerifiedMark } from '@nimo/event-store';
import { trustedLogKeys } from '../log-proof/log-chain.js';
import { projections } from '@nimo/projections';
import { countWorkers, projectionStatus, type ProjectionStatus } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { HealthReport, ComponentHealth } from '../../platform/operations/health.js';
import type { Metrics } from '../../platform/operations/metrics.js';

/** Lets all gauges of one scrape share a lookup. */
const CACHE_MS = 1_000;
const UP: Readonly<Record<ComponentHealth['status'], number>> = { up: 1, degraded: 0.5, down: 0 };

export interface SharedMetricSources {
  readonly metrics: Metrics;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly jobs: JobQueues;
  readonly settings: Settings;
  readonly health: HealthReport;
}

/**
 * Metrics of the installation rather than of a process. Every process reports them, so that they survive the loss of the workers.
 * Aggregate with max over processes, not sum.
 */
export function registerSharedMetrics({
  metrics,
  pool,
  store,
  jobs,
  settings,
  health,
}: SharedMetricSources): void {
  const statuses = caching(() => projectionStatus({ pool, store, projections }));
  registerProjectionMetrics(metrics, statuses);
  registerLogProofMetrics(metrics, pool, settings);
  metrics.watch('nimo_projection_workers', 'Workers that share the projections.', [], async (gauge) =>
    gauge.set(await countWorkers(pool)),
  );
  metrics.watch('nimo_jobs', 'Jobs in each queue.', ['queue', 'state'], async (gauge) => {
    for (const { queue, states } of await jobs.depths())
      for (const [state, count] of Object.entries(states)) gauge.set({ queue, state }, count);
  });
  metrics.watch('nimo_backup_timestamp_seconds', 'Time of the latest verified backup.', [], async (gauge) => {
    const { rows } = await pool.query<{ seconds: number | null }>(
      'select extract(epoch from max(made_at))::float8 as seconds from state.backup',
    );
    const seconds = rows[0]?.seconds ?? undefined;
    if (seconds !== undefined) gauge.set(seconds);
  });
  metrics.watch(
    'nimo_component_up',
    'State of each component as seen by a process: 1 up, 0.5 degraded, 0 down.',
    ['component'],
    async (gauge) => {
      for (const [component, { status }] of Object.entries((await health.ready()).components))
        gauge.set({ component }, UP[status]);
    },
  );
  metrics.watch('nimo_disk_free_bytes', 'Free space on the disk of NIMO_DATA_DIR.', [], async (gauge) => {
    const { bavail, bsize } = await statfs(settings.dataDir);
    gauge.set(bavail * bsize);
  });
}

function registerLogProofMetrics(metrics: Metrics, pool: Pool, settings: Settings): void {
  metrics.watch(
    'nimo_log_mismatches',
    'Mismatches between the log, its hash chain and the signed heads; 0 is healthy.',
    [],
    async (gauge) => gauge.set((await readMismatches(pool)).length),
  );
  const mark = caching(() => readMark(pool, trustedLogKeys(settings)));
  const markGauge = (name: string, help: string, value: (mark: VerifiedMark) => number | undefined): void =>
    metrics.watch(name, help, [], async (gauge) => {
      const read = await mark();
      const found = read.kind === 'genuine' ? value(read.mark) : undefined;
      if (found !== undefined) gauge.set(found);
    });
  const seconds = (at: string): number => Date.parse(at) / 1000;
  markGauge('nimo_log_verified_ordinal', 'Ordinal of the last verified event.', ({ tail }) => tail.ordinal);
  markGauge('nimo_log_verified_timestamp_seconds', 'When new events were last verified.', ({ at }) =>
    seconds(at),
  );
  markGauge(
    'nimo_log_fully_verified_timestamp_seconds',
    'When the whole log was last verified without mismatch.',
    ({ whole }) => (whole === null ? undefined : seconds(whole.at)),
  );
}

function registerProjectionMetrics(
  metrics: Metrics,
  statuses: () => Promise<readonly ProjectionStatus[]>,
): void {
  const projectionGauge = (
    name: string,
    help: string,
    value: (status: ProjectionStatus) => number | null,
  ): void =>
    metrics.watch(name, help, ['projection'], async (gauge) => {
      for (const status of await statuses()) {
        const found = value(status);
        if (found !== null) gauge.set({ projection: status.name }, found);
      }
    });
  projectionGauge(
    'nimo_projection_lag_events',
    'Events that a projection has not applied.',
    ({ lagEvents }) => lagEvents,
  );
  projectionGauge(
    'nimo_projection_lag_seconds',
    'Age of the oldest event that a projection has not applied.',
    ({ lagMs }) => lagMs / 1000,
  );
  projectionGauge(
    'nimo_projection_stopped',
    '1 if a projection has stopped at a failed event.',
    ({ state }) => Number(state === 'STOPPED'),
  );
  projectionGauge(
    'nimo_projection_ahead',
    '1 if a projection is ahead of the log, which was restored from an older copy.',
    ({ state }) => Number(state === 'AHEAD'),
  );
  projectionGauge('nimo_projection_leased', '1 if a worker holds the lease of the projection.', ({ live }) =>
    Number(live?.leader != null),
  );
  projectionGauge(
    'nimo_projection_rebuild_ratio',
    'Share of the log that a rebuild has processed.',
    ({ rebuild }) => (rebuild ? (rebuild.total === 0 ? 1 : rebuild.done / rebuild.total) : null),
  );
}

function caching<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let cached: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return () => {
    const now = performance.now();
    if (!cached || now - cached.at > CACHE_MS) cached = { at: now, value: load() };
    return cached.value;
  };
}
