import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BenchServer } from './bench-server.js';
import type { BenchContext, Figure } from './bench-context.js';
import { measureAppends } from './figures/appends.js';
import { measureColdStart } from './figures/cold-start.js';
import { measurePages } from './figures/pages.js';
import { measureRebuild } from './figures/rebuild.js';
import { measureVisible } from './figures/visible.js';
import { measureVotes } from './figures/votes.js';
import { machine, type Measurement, type Report, tableOf } from './report.js';

const FIGURES: Readonly<Record<string, Figure>> = {
  appends: measureAppends,
  rebuild: measureRebuild,
  visible: measureVisible,
  pages: measurePages,
  votes: measureVotes,
  'cold-start': measureColdStart,
};

const USAGE = `npm run bench -- [--quick] [--only <${Object.keys(FIGURES).join('|')}>]… [--json <file>] [--questions <n>]`;

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    questions: { type: 'string' },
  },
});
const unknown = given.only.find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  process.stderr.write(`There is no figure "${unknown}". ${USAGE}\n`);
  process.exit(1);
}

const notes: string[] = [];
const measurements: Measurement[] = [];
const server = await BenchServer.attach();
const context: BenchContext = {
  server,
  isQuick: given.quick,
  seconds: given.quick ? 2 : 5,
  repeats: given.quick ? 1 : 3,
  questions: Number(given.questions ?? (given.quick ? 2_000 : 100_000)),
  log: (text) => process.stderr.write(`· ${text}\n`),
  note: (text) => notes.push(text),
};
try {
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (given.only.length > 0 && !given.only.includes(name)) continue;
    const taken = await measure(context);
    process.stdout.write(`\n${tableOf(taken)}\n`);
    measurements.push(...taken);
  }
} finally {
  await server.detach();
}

const report: Report = {
  machine: machine(),
  node: process.version,
  takenAt: new Date().toISOString(),
  isQuick: given.quick,
  notes,
  measurements,
};
process.stdout.write(
  `\n${report.machine}, node ${report.node}${report.isQuick ? ', quick' : ''}\n\n${tableOf(measurements)}\n`,
);
for (const note of notes) process.stdout.write(`\n${note}\n`);
if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(report, undefined, 2)}\n`);
