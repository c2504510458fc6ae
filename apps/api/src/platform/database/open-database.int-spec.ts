import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { waitForServer } from './open-database.js';

/** PostgreSQL's ErrorResponse message while it is in recovery. */
function refusal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is in recovery mode\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

let database: TestDatabase;
let server: Server;
let refused = 0;
let refuses = 0;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const real = new URL(database.url);
  const [host, port] = [real.searchParams.get('host') ?? real.hostname, Number(real.port)];
  server = createServer((client) => {
    client.on('error', () => undefined);
    if (refused < refuses) {
      refused += 1;
      client.once('data', () => client.end(refusal()));
      return;
    }
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    there.on('error', () => undefined);
    client.pipe(there).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  real.searchParams.delete('host');
  real.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = real.href;
});
afterAll(async () => {
  server.close();
  await database.drop();
});

it('waits for a server in recovery', async () => {
  [refused, refuses] = [0, 3];
  await waitForServer(url);
  expect(refused).toBe(3);
});

it('waits no longer than the timeout', async () => {
  [refused, refuses] = [0, Infinity];
  await waitForServer(url, 150);
  expect(refused).toBeGreaterThan(0);
});

it('returns on any other error', async () => {
  await waitForServer('postgresql://127.0.0.1:1/none');
});
