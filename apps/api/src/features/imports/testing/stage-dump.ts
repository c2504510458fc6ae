// Stages a dump and reads its plan, in a process whose memory the spec bounds. Parameters: folder, database.
import process from 'node:process';
import { findDump } from '../dump-reader.js';
import { Staging } from '../staging.js';

const [folder = '', databaseUrl = ''] = process.argv.slice(2);
const staging = new Staging(databaseUrl);
await staging.open();
const { planned } = await staging.fill(await findDump(folder), {
  origin: undefined,
  now: new Date(),
  onBytes: () => undefined,
  signal: new AbortController().signal,
});
let seen = 0;
for await (const { place } of staging.plan()) seen = place;
await staging.close();
process.stdout.write(
  JSON.stringify({
    planned: planned.reduce((sum, { rows }) => sum + rows, 0),
    seen,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);
