import { setMaxListeners } from 'node:events';

interface Connection {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** One for all: an error of its own for every answer that was written would cost more than it tells. */
const GONE = new Error('nobody waits for the answer any more');

const signals = new WeakMap<Connection, AbortSignal>();

/** @returns what aborts when nobody waits for an answer any more; the same one however often a connection is asked for it */
export function whenGone(connection: Connection): AbortSignal {
  const known = signals.get(connection);
  if (known) return known;
  const gone = abortedByMany();
  if (connection.closed) gone.abort(GONE);
  else connection.once('close', () => gone.abort(GONE));
  signals.set(connection, gone.signal);
  return gone.signal;
}

/** For as many as may wait for one connection: Node warns of a leak at the eleventh. */
export function abortedByMany(): AbortController {
  const gone = new AbortController();
  setMaxListeners(Infinity, gone.signal);
  return gone;
}
