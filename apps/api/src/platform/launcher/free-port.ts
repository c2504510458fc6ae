import { createServer } from 'node:net';
import { errorCode } from '../embedded-postgres/embedded-postgres-error.js';
import { LaunchError } from './launch-error.js';

const TRIES = 50;

export interface WantedPort {
  readonly host: string;
  readonly port: number;
  /** Somebody asked for this one, so another would not do. */
  readonly isExplicit: boolean;
}

export async function freePort({ host, port, isExplicit }: WantedPort): Promise<number> {
  for (let candidate = port; candidate < port + TRIES; candidate += 1) {
    const problem = await problemOf(host, candidate);
    if (problem === undefined) return candidate;
    if (problem !== 'EADDRINUSE')
      throw new LaunchError(
        `Nimo cannot listen on ${host}, port ${candidate} (${problem}); set HOST or PORT.`,
      );
    if (isExplicit)
      throw new LaunchError(
        `Port ${candidate} is taken by another program; stop it or set PORT to another number.`,
      );
  }
  throw new LaunchError(`The ports from ${port} to ${port + TRIES - 1} are all taken; set PORT.`);
}

function problemOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(errorCode(error) ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
