import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import { DatabaseError } from 'pg';

/** SQLSTATE cannot_connect_now: the server starts, or recovers from a crash. */
const NOT_NOW = '57P03';
const WAITS_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** A server that says nothing at all is no business of ours. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Waits for a server that says that it is on its way: where it and a process went down together, the process is back first. What else is
 * wrong with the address, whoever uses it is told.
 *
 * @param waitsMs at most, after which that is told too
 */
export async function untilTakingConnections(url: string, waitsMs = WAITS_MS): Promise<void> {
  const end = performance.now() + waitsMs;
  while ((await isOnItsWay(url)) && performance.now() < end) await delay(LOOK_EVERY_MS);
}

async function isOnItsWay(url: string): Promise<boolean> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: ANSWERS_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof DatabaseError && error.code === NOT_NOW;
  } finally {
    await client.end().catch(() => undefined);
  }
}
