// Stages a dump and reads its plan in a process with limited memory. Arguments: folder, database URL.
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
for await (const { position } of staging.plan()) seen = position;
await staging.close();
process.stdout.write(
  JSON.stringify({
    planned: planned.reduce((sum, { rows }) => sum + rows, 0),
    seen,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);
