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
    const found = await tryPort(host, candidate);
    if (typeof found === 'number') return found;
    if (found !== 'EADDRINUSE') {
      throw new LaunchError(
        `Nimo cannot listen on ${host}, port ${candidate} (${found}); set HOST or PORT to something else.`,
      );
    }
    if (isExplicit) {
      throw new LaunchError(
        `Port ${candidate} is taken by another program; stop it or set PORT to another number.`,
      );
    }
  }
  throw new LaunchError(`The ports from ${port} to ${port + TRIES - 1} are all taken; set PORT.`);
}

/** The port, a real one for 0, or what is wrong with it. */
function tryPort(host: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve(errorCode(error) ?? error.message);
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' ? address?.port : undefined;
      server.close(() => {
        resolve(found ?? port);
      });
    });
  });
}
