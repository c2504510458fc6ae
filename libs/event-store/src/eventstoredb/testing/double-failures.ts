import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import { Metadata, status } from '@grpc/grpc-js';

/** A gRPC error that ends a call. */
export interface CallFailure {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

export const BROKEN: CallFailure = { code: status.UNAVAILABLE, details: 'Connection dropped' };
export const NO_LEADER_INFO: CallFailure = {
  code: status.UNKNOWN,
  details: 'No leader info available in response',
};
export const NOT_READY: CallFailure = { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };
export const TIMED_OUT: CallFailure = { code: status.ABORTED, details: 'Operation timed out: commit' };
export const ACCESS_DENIED: CallFailure = {
  code: status.PERMISSION_DENIED,
  details: 'Access Denied',
  metadata: exception('access-denied'),
};

/** The trailers contain the leader's address. */
export function notLeader(host: string, port: number): CallFailure {
  const metadata = exception('not-leader');
  metadata.set('leader-endpoint-host', host);
  metadata.set('leader-endpoint-port', String(port));
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
}

export function appendTooLarge(maxBytes: number): CallFailure {
  const metadata = exception('maximum-append-size-exceeded');
  metadata.set('maximum-append-size', String(maxBytes));
  return {
    code: status.INVALID_ARGUMENT,
    details: `Maximum Append Size of ${maxBytes} Exceeded.`,
    metadata,
  };
}

function exception(name: string): Metadata {
  const metadata = new Metadata();
  metadata.set('exception', name);
  return metadata;
}

/** A status with an empty `Any` in field 3: the client does not export the class of `Any`. */
const EMPTY_DETAILS = Uint8Array.of(0x1a, 0);
const EMPTY = new Uint8Array();

/** A batch append error of one append, which leaves the call open. */
function batchStatus(message: string, typeName: string, details: Uint8Array): statuses.Status {
  const packed = statuses.Status.deserializeBinary(EMPTY_DETAILS);
  packed.getDetails()?.pack(details, typeName);
  return packed.setMessage(message);
}

export const BATCH_NOT_READY = batchStatus('Server Is Not Ready', 'google.protobuf.Empty', EMPTY);
export const BATCH_NO_LEADER = batchStatus(
  'No leader info available in response',
  'google.protobuf.Empty',
  EMPTY,
);
export const BATCH_TIMEOUT = batchStatus('Timeout', 'event_store.client.Timeout', EMPTY);
export const BATCH_ACCESS_DENIED = batchStatus('Access Denied', 'event_store.client.AccessDenied', EMPTY);

export function batchTooLarge(maxBytes: number): statuses.Status {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxBytes).serializeBinary();
  return batchStatus('Maximum Append Size Exceeded', 'event_store.client.MaximumAppendSizeExceeded', details);
}

export function batchConflict(actual: number): statuses.Status {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === -1) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentStreamRevision(String(actual));
  return batchStatus(
    'Wrong Expected Version',
    'event_store.client.WrongExpectedVersion',
    wrong.serializeBinary(),
  );
}
