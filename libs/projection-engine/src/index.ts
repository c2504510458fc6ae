export * from './projection.js';
export { pause } from './scheduling.js';
export { Turn } from './scheduling.js';
export { dropFormerGenerations, stragglersBefore } from './generations/after-erasure.js';
export {
  actsStream,
  type ProjectionAct,
  type VerificationOutcome,
} from './maintenance/maintenance-commands.js';
export {
  type GenerationStatus,
  MAKE_READ,
  PROJECTION_ACTS_DDL,
  PROJECTION_ASKED_DDL,
  PROJECTION_BOOKKEEPING_DDL,
  PROJECTION_WORKERS_DDL,
  type ProjectionError,
  type SkippedEvent,
  type VerificationResult,
} from './bookkeeping/bookkeeping.js';
export { countWorkers } from './worker/worker-registry.js';
export { eventTypesOf, foldRow, keysOf } from './folding/handlers.js';
export { countInMemory, foldInMemory } from './folding/fold-batch.js';
export {
  adoptLog,
  areProjectionsPrepared,
  type Generation,
  listGenerations,
  prepareProjections,
} from './generations/generations.js';
export { readMaintenanceCommands, type RecordedCommand } from './maintenance/maintenance-commands.js';
export {
  type PassProgress,
  ProjectionMaintenance,
  type ProjectionMaintenanceOptions,
  type RebuildEnd,
  type RebuildOutcome,
  type WatchOptions,
  type WatchPassOptions,
} from './maintenance/projection-maintenance.js';
export {
  type GenerationView,
  projectionStatus,
  type ProjectionState,
  type ProjectionStatus,
  type RebuildView,
  type StatusOptions,
  type WorkProgress,
} from './maintenance/projection-status.js';
export {
  type Reactor,
  type ReactorEvent,
  ReactorRunner,
  type ReactorRunnerOptions,
} from './reactors/reactor-runner.js';
export {
  FreshReader,
  type FreshReaderOptions,
  type FreshRows,
  type FreshTable,
  type FreshWish,
} from './reading/fresh-reader.js';
export {
  type LivePlaces,
  livePlacesSql,
  UnchangedReads,
  type UnchangedReadsOptions,
} from './reading/unchanged-reads.js';
export type { DifferingRow, TableDifference } from './storage/compare-tables.js';
export { canonicalHash } from './storage/compare-tables.js';
export { READ_TYPES } from './storage/column-values.js';
export { givenToSchemaOwnerSql } from './storage/table-shape.js';
export { type TableShape } from './storage/table-shape.js';
export { inTransaction } from './storage/transaction.js';
export {
  ProjectionWaiter,
  type ProjectionWaiterOptions,
  type Standing,
} from './waiting/projection-waiter.js';
export { BuildPace } from './rebuild/rebuild-throttle.js';
export { type AppliedBatch, PoisonEventError } from './worker/generation-runner.js';
export { ProjectionWorker } from './worker/projection-worker.js';
export type { ProjectionWorkerOptions } from './worker/projection-worker.js';
