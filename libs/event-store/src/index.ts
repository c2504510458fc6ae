export * from './port.js';
export { BrokenChainError, chainCaughtUp, ChainFollower } from './integrity/chain-follower.js';
export { LOG_CHAIN_SQL } from './integrity/chain-table.js';
export { readChainPlace, readChainTip } from './integrity/chain-table.js';
export { type ChainLink, type ChainTip, type StoredEvent } from './integrity/event-chain.js';
export { DatabaseHeads, readSignedHeads } from './integrity/log-heads.js';
export { HeadSigner } from './integrity/head-signer.js';
export { HeadsFolder } from './integrity/log-heads.js';
export { linesOf } from './integrity/log-heads.js';
export { LogWatch, type LogWatchOptions } from './integrity/log-watch.js';
export { readMark, type VerifiedMark } from './integrity/verified-mark.js';
export {
  emptyCheckpoints,
  lastOrdinals,
  staleCheckpoints,
  checkpointFaults,
  type CheckpointRead,
} from './integrity/checkpoint-faults.js';
export { recordMismatch, type KnownMismatch, readMismatches } from './integrity/mismatches.js';
export type { Mismatch, MismatchKind } from './integrity/mismatches.js';
export {
  isGenuineHead,
  isSignedHead,
  parseSignedHead,
  type SignedHead,
  signHead,
} from './integrity/signed-head.js';
export {
  type PublicKey,
  publicKeyOf,
  publicKeyText,
  type SigningKey,
  signingKeyOf,
} from './integrity/signed-head.js';
export { headBeyondTip, readCheckpointState, type CheckpointState } from './integrity/checkpoint-faults.js';
export {
  type VerifiedPlace,
  verifyLog,
  type VerifyLogOptions,
  type VerifyReport,
} from './integrity/verify-log.js';
export type { EventStoreDbEventStore, EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export type { AvailabilityListener } from './eventstoredb/availability.js';
export { type ErrorKind, kindOfError } from './error-kind.js';
export { readEventStoreAddress, shownEventStoreAddress } from './event-store-address.js';
export {
  type CommandResult,
  ConcurrencyError,
  type DecidedEvent,
  type Decision,
  handleCommand,
  type HandleCommandOptions,
} from './handle-command.js';
export { type EventStoreConfiguration, openEventStore, openEventStoreDb } from './open-event-store.js';
export { PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres-event-store.js';
export { newClient, openPool, PIPELINED } from './postgres/connections.js';
export { LOG_SCHEMA_SQL } from './postgres/schema.js';
export { positionOfOrdinal } from './postgres/event-queries.js';
export { type ExportSeal } from './integrity/export-seal.js';
export { formatOf } from './integrity/log-lines.js';
export {
  type BundleCheck,
  type BundleSource,
  checkBundle,
  makeBundle,
  ManyLinesError,
  type ProofBundle,
} from './integrity/proof-bundle.js';
export type { LineRenderer, ExportCell, ExportLine } from './integrity/log-lines.js';
export { proveExport, type ProveReport } from './integrity/prove-export.js';
export { sealedExport } from './integrity/export-seal.js';
export { type LazyValues, withLazyValues } from './lazy-values.js';
export { copyLog, type CopyLogOptions, type CopyPhase, type CopyReport } from './transfer/copy-log.js';
export { type EventPage, readPage, weightOf, weightOfEvent } from './read-page.js';
export { LogOrdinals, type NumberedEvent } from './log-ordinals.js';
export { exportLog } from './transfer/export-log.js';
export { checkedEvents, importLog, type ImportReport } from './transfer/import-log.js';
export { LogDiffersError } from './transfer/export-log.js';
export {
  type LoadedStreams,
  loadStreams,
  type Snapshots,
  type SnapshotStore,
  type StreamBases,
  type StreamFold,
  type StreamSnapshot,
} from './stream-snapshots.js';
export { withCodec } from './with-codec.js';
export type { ExternalCheckpoint } from './integrity/signed-head.js';
export type { ExportProblem } from './integrity/export-seal.js';
export type { ExportFormat } from './integrity/log-lines.js';
export type { HeadsRead } from './integrity/signed-head.js';
