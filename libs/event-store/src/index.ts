export * from './port.js';
export { BrokenChainError, chainCaughtUp, ChainFollower } from './chain/chain-follower.js';
export { LOG_CHAIN_SQL } from './chain/chain-schema.js';
export { readChainPlace, readChainTip } from './chain/chain-table.js';
export { type ChainLink, type ChainTip, type StoredEvent } from './chain/event-chain.js';
export { DatabaseHeads, readSignedHeads } from './chain/database-heads.js';
export { HeadSigner } from './chain/head-signer.js';
export type { HeadsRead, HeadWitness } from './chain/head-witness.js';
export { HeadsFolder } from './chain/heads-folder.js';
export { linesOf } from './chain/lines.js';
export { LogWatch, type LogWatchOptions } from './chain/log-watch.js';
export { readMark, type VerifiedMark } from './chain/verified-mark.js';
export {
  emptyWitnesses,
  lastsOf,
  staleWitnesses,
  witnessFaults,
  type WitnessRead,
} from './chain/witness-faults.js';
export { keepMisfit, type KnownMisfit, knownMisfits } from './chain/log-misfits.js';
export type { Misfit, MisfitKind } from './chain/misfit.js';
export {
  isGenuineHead,
  isSignedHead,
  parseSignedHead,
  type SignedHead,
  signHead,
} from './chain/signed-head.js';
export {
  type PublicKey,
  publicKeyOf,
  publicKeyText,
  type SigningKey,
  signingKeyOf,
} from './chain/signing-key.js';
export { beyondTip, standingHeads, type StandingHeads } from './chain/standing-heads.js';
export {
  type VerifiedPlace,
  verifyLog,
  type VerifyLogOptions,
  type VerifyReport,
} from './chain/verify-log.js';
export type { EventStoreDbEventStore, EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export type { ReachabilityNews } from './eventstoredb/reachability.js';
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
export { positionOfOrdinal } from './postgres/position-of-ordinal.js';
export { type ExportFormat, type ExportSeal } from './proof/export-seal.js';
export { formatOf } from './proof/exported-lines.js';
export {
  type BundleCheck,
  type BundleSource,
  checkBundle,
  makeBundle,
  ManyLinesError,
  type ProofBundle,
} from './proof/proof-bundle.js';
export type { LineTeller, ToldCell, ToldLine } from './proof/line-teller.js';
export { type ExportProblem, proveExport, type ProveReport } from './proof/prove-export.js';
export { sealedExport } from './proof/sealed-export.js';
export { type LateValues, withLateValues } from './late-values.js';
export { copyLog, type CopyLogOptions, type CopyPhase, type CopyReport } from './transfer/copy-log.js';
export { type PageWithin, readWithin, weightOf, weightOfEvent } from './read-within.js';
export { exportLog } from './transfer/export-log.js';
export { checkedEvents, importLog, type ImportReport } from './transfer/import-log.js';
export { LogDiffersError } from './transfer/log-file.js';
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
