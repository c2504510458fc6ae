export * from './projection.js';
export { pause, TimeSlice } from './scheduling.js';
export {
  type GenerationStatus,
  CREATE_READ_SCHEMA,
  READ_DDL,
  REACTORS_DDL,
  type VerificationResult,
} from './bookkeeping/bookkeeping.js';
export { countInMemory, foldInMemory } from './folding/fold-batch.js';
export { eventTypesOf, foldRow, keysOf } from './folding/handlers.js';
export {
  dropFormerGenerations,
  type Generation,
  listGenerations,
  generationsBehind,
} from './generations/generations.js';
export { adoptLog, areProjectionsPrepared, prepareProjections } from './generations/prepare-projections.js';
export {
  type MaintenanceCommand,
  maintenanceStream,
  type MaintenanceState,
  readMaintenanceCommands,
  type RecordedCommand,
} from './bookkeeping/maintenance-commands.js';
export {
  type PassProgress,
  ProjectionMaintenance,
  type RebuildEnd,
  type StoppedEvent,
} from './maintenance/projection-maintenance.js';
export {
  projectionStatus,
  type ProjectionState,
  type ProjectionStatus,
  type WorkProgress,
} from './maintenance/projection-status.js';
export { type Reactor, ReactorRunner } from './reactors/reactor-runner.js';
export { type LivePositions, livePositionsSql, UnchangedReads } from './reading/unchanged-reads.js';
export { RebuildThrottle } from './rebuild/rebuild-throttle.js';
export { READ_TYPES } from './storage/column-values.js';
export { canonicalHash } from './storage/compare-tables.js';
export { assignToSchemaOwnerSql } from './storage/table-shape.js';
export { inTransaction } from './storage/transaction.js';
export { ProjectionWaiter } from './waiting/projection-waiter.js';
export { type AppliedBatch, PoisonEventError } from './worker/generation-runner.js';
export { ProjectionWorker } from './worker/projection-worker.js';
export { countWorkers } from './worker/worker-registry.js';
