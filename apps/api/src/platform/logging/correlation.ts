import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface Correlation {
  readonly correlationId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const CORRELATION_HEADER = 'x-correlation-id';

/** The span of whoever sent a request, by W3C's Trace Context; in hex. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Later versions begin as the first one does, and may go on. */
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

export function traceParentOf(given: unknown): TraceParent | undefined {
  const [, traceId, spanId] = (typeof given === 'string' && TRACE_PARENT.exec(given)) || [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

/**
 * The id of the trace that a request belongs to, else the one that a browser chose for what it does, or one of ours. Nothing is looked
 * up or decided by it: it finds lines of a log, and whoever sends another's only mixes up his own.
 */
export function correlationIdOf(headers: Readonly<Record<string, unknown>>): string {
  const parent = traceParentOf(headers['traceparent']);
  // A trace id has as many bytes as a UUID, and each process can tell the one from the other.
  if (parent) return parent.traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const given = headers[CORRELATION_HEADER];
  return typeof given === 'string' && UUID.test(given) ? given : randomUUID();
}

/** The request or job that is being worked on; the logger adds it to every line. */
export const correlation = new AsyncLocalStorage<Correlation>();
