import { EventStoreDBClient } from '@eventstore/db-client';
import { readEventStoreAddress } from '../event-store-address.js';

/**
 * Connection string for the client, which only knows EventStoreDB's old scheme (KurrentDB speaks the same protocol). With +discover, the
 * client asks only the first of several nodes, which would be a single point of failure; a plain list makes it try every node.
 */
export function clientAddress(url: string): string {
  const isList = (readEventStoreAddress(url)?.nodes.length ?? 1) > 1;
  return url.replace(/^(?:esdb|kurrentdb)(\+discover)?:/, isList ? 'esdb:' : 'esdb$1:');
}

/**
 * gRPC keepalive: pings a connection with open calls, and drops it without a response. With the client's defaults, a frozen leader would
 * block for 20 seconds.
 */
export interface KeepAlive {
  readonly intervalMs: number;
  /** A server short of threads may take 2 seconds. */
  readonly timeoutMs: number;
}

export const KEEP_ALIVE: KeepAlive = { intervalMs: 2_000, timeoutMs: 3_000 };

const INTERVAL_WARNING = /^Specified KeepAliveInterval/;
const HAS_KEEP_ALIVE = /[?&]keep[_-]?alive[_-]?(?:interval|timeout)=/i;

export function connect(address: string, { intervalMs, timeoutMs }: KeepAlive): EventStoreDBClient {
  const text = clientAddress(address);
  if (HAS_KEEP_ALIVE.test(text)) return EventStoreDBClient.connectionString(text);
  const options = `keepAliveInterval=${intervalMs}&keepAliveTimeout=${timeoutMs}`;
  return withoutWarning(INTERVAL_WARNING, () =>
    EventStoreDBClient.connectionString(`${text}${text.includes('?') ? '&' : '?'}${options}`),
  );
}

/** The client logs the warning for every connection, to users who cannot change the interval. */
function withoutWarning<Result>(warning: RegExp, make: () => Result): Result {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- restored after the synchronous call
  console.warn = (...args: unknown[]) => {
    if (!warning.test(String(args[0]))) warn.apply(console, args);
  };
  try {
    return make();
  } finally {
    // oxlint-disable-next-line no-console -- restores the original
    console.warn = warn;
  }
}
