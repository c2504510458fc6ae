export * from './projection.js';
export { pause } from './pause.js';
export { Turn } from './turn.js';
export { dropFormerGenerations, stragglersBefore } from './generations/after-erasure.js';
export {
  actsStream,
  type ProjectionAct,
  type VerificationOutcome,
} from './generations/maintenance-commands.js';
export {
  type GenerationStatus,
  MAKE_READ,
  READ_DDL,
  REACTORS_DDL,
  type ProjectionError,
  type SkippedEvent,
  type VerificationResult,
} from './bookkeeping/bookkeeping.js';
export { countWorkers } from './bookkeeping/roster.js';
export { eventTypesOf, foldRow, keysOf } from './folding/handlers.js';
export { countInMemory, foldInMemory } from './folding/fold-in-memory.js';
export {
  adoptLog,
  areProjectionsPrepared,
  type Generation,
  listGenerations,
  prepareProjections,
} from './generations/generations.js';
export { readMaintenanceCommands, type RecordedCommand } from './generations/recorded-commands.js';
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
export type { DifferingRow, TableDifference } from './storage/differing-rows.js';
export { canonicalHash } from './storage/canonical-hash.js';
export { READ_TYPES } from './storage/column-values.js';
export { givenToSchemaOwnerSql } from './storage/schema-owner.js';
export { type TableShape } from './storage/table-shape.js';
export { inTransaction } from './storage/transaction.js';
export {
  ProjectionWaiter,
  type ProjectionWaiterOptions,
  type Standing,
} from './waiting/projection-waiter.js';
export { BuildPace } from './worker/build-pace.js';
export { type AppliedBatch, PoisonEventError } from './worker/generation-runner.js';
export { ProjectionWorker } from './worker/projection-worker.js';
export type { ProjectionWorkerOptions } from './worker/worker-options.js';
