// Prints the one-event appends per second of Emmett for a number of clients.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { openStore, voteCast } from './store.mjs';

const [url, clientsArgument, secondsArgument] = process.argv.slice(2);
const clients = Number(clientsArgument);
const seconds = Number(secondsArgument);
const { store, close } = openStore(url, clients);

async function drive(duration) {
  const start = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - start < duration * 1000) {
        await store.appendToStream(`vote-${randomUUID()}`, [voteCast()]);
        count += 1;
      }
    }),
  );
  return (count / (performance.now() - start)) * 1000;
}

await store.schema.migrate();
await drive(Math.min(1, seconds / 3));
const perSecond = await drive(seconds);
await close();
process.stdout.write(`${JSON.stringify({ perSecond })}\n`);
