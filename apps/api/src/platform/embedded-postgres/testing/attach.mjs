// A separate process that uses the server of a data folder until it receives a message.
import '../../../../../../scripts/typescript.mjs';
import process from 'node:process';

const { attachEmbeddedPostgres } = await import('../embedded-postgres.ts');
const server = await attachEmbeddedPostgres({ dataFolder: process.argv[2] });
process.send({ url: server.url() });
process.once('message', async () => {
  await server.detach();
  process.disconnect();
});
