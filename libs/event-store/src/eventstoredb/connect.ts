import { EventStoreDBClient } from '@eventstore/db-client';
import { readEventStoreAddress } from '../event-store-address.js';

/**
 * KurrentDB is the later name of EventStoreDB; the client only knows the earlier one. The protocol is the same. Told to discover, the client
 * asks the first of several nodes alone, so that its end would be the end of all: of a list it asks every one without being told.
 */
export function clientAddress(url: string): string {
  const isList = (readEventStoreAddress(url)?.nodes.length ?? 1) > 1;
  return url.replace(/^(?:esdb|kurrentdb)(\+discover)?:/, isList ? 'esdb:' : 'esdb$1:');
}

/**
 * A connection over which calls are open is asked whether anybody is there, and left where nobody answers. By the client's own measure a
 * frozen leader would cost twenty seconds.
 */
export interface KeepAlive {
  readonly everyMs: number;
  /** A server short of threads may take two seconds. */
  readonly patienceMs: number;
}

export const KEEP_ALIVE: KeepAlive = { everyMs: 2_000, patienceMs: 3_000 };

const TOO_SHORT_FOR_THE_CLIENT = /^Specified KeepAliveInterval/;
const IS_GIVEN = /[?&]keep[_-]?alive[_-]?(?:interval|timeout)=/i;

export function connect(address: string, { everyMs, patienceMs }: KeepAlive): EventStoreDBClient {
  const given = clientAddress(address);
  if (IS_GIVEN.test(given)) return EventStoreDBClient.connectionString(given);
  const options = `keepAliveInterval=${everyMs}&keepAliveTimeout=${patienceMs}`;
  return withoutWarning(TOO_SHORT_FOR_THE_CLIENT, () =>
    EventStoreDBClient.connectionString(`${given}${given.includes('?') ? '&' : '?'}${options}`),
  );
}

/** It tells so on the console, at each connection, to whoever cannot change it. */
function withoutWarning<Made>(warning: RegExp, make: () => Made): Made {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- for as long as it makes a connection, which is one turn
  console.warn = (...said: unknown[]) => {
    if (!warning.test(String(said[0]))) warn.apply(console, said);
  };
  try {
    return make();
  } finally {
    // oxlint-disable-next-line no-console -- as it was
    console.warn = warn;
  }
}
