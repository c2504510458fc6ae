import { setMaxListeners } from 'node:events';

interface Connection {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const signals = new WeakMap<Connection, AbortSignal>();

/** @returns what aborts when nobody waits for an answer any more; the same one however often a connection is asked for it */
export function whenGone(connection: Connection): AbortSignal {
  const known = signals.get(connection);
  if (known) return known;
  const gone = abortedByMany();
  if (connection.closed) gone.abort();
  else connection.once('close', () => gone.abort());
  signals.set(connection, gone.signal);
  return gone.signal;
}

/** For as many as may wait for one connection: Node warns of a leak at the eleventh. */
export function abortedByMany(): AbortController {
  const gone = new AbortController();
  setMaxListeners(Infinity, gone.signal);
  return gone;
}
