import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchServer } from './bench-server.js';
import type { BenchContext, Figure } from './bench-context.js';
import { measureAppends } from './figures/appends.js';
import { measureAsOf } from './figures/as-of.js';
import { measureBounded } from './figures/bounded.js';
import { measureColdStart } from './figures/cold-start.js';
import { measureEventStoreDb } from './figures/eventstoredb.js';
import { measureFleet } from './figures/fleet.js';
import { measureGrowth } from './figures/growth.js';
import { measureInputs } from './figures/inputs.js';
import { measureLeaderboard } from './figures/leaderboard.js';
import { measureMaintenance } from './figures/maintenance.js';
import { measureMemory } from './figures/memory.js';
import { measurePages } from './figures/pages.js';
import { measurePressure } from './figures/pressure.js';
import { measurePublicPages } from './figures/public-pages.js';
import { measureRebuild } from './figures/rebuild.js';
import { measureRescoring } from './figures/rescoring.js';
import { measureSearch } from './figures/search.js';
import { measureVisible } from './figures/visible.js';
import { measureVoteCosts } from './figures/vote-costs.js';
import { measureVotes } from './figures/votes.js';
import { measureWeb } from './figures/web.js';
import { document } from './document.js';
import { machine, type Report, type Section, formatReport } from './report.js';

const FIGURES: Readonly<Record<string, Figure>> = {
  appends: measureAppends,
  eventstoredb: measureEventStoreDb,
  rebuild: measureRebuild,
  visible: measureVisible,
  fleet: measureFleet,
  pages: measurePages,
  html: measurePublicPages,
  growth: measureGrowth,
  pressure: measurePressure,
  leaderboard: measureLeaderboard,
  asof: measureAsOf,
  votes: measureVotes,
  'vote-costs': measureVoteCosts,
  bounded: measureBounded,
  rescoring: measureRescoring,
  maintenance: measureMaintenance,
  search: measureSearch,
  'cold-start': measureColdStart,
  memory: measureMemory,
  inputs: measureInputs,
  web: measureWeb,
};

const USAGE = `npm run bench -- [--quick] [--only <${Object.keys(FIGURES).join('|')}>]… [--json <file>] [--questions <n>] [--document]`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    questions: { type: 'string' },
    document: { type: 'boolean', default: false },
  },
});
const unknown = options.only.find((name) => !(name in FIGURES));
if (unknown !== undefined) {
  process.stderr.write(`Unknown figure "${unknown}". ${USAGE}\n`);
  process.exit(1);
}

const sections: Section[] = [];
let notes: string[] = [];
const server = await BenchServer.attach();
const context: BenchContext = {
  server,
  isQuick: options.quick,
  seconds: options.quick ? 2 : 5,
  repeats: options.quick ? 1 : 3,
  questions: Number(options.questions ?? (options.quick ? 2_000 : 100_000)),
  log: (text) => process.stderr.write(`· ${text}\n`),
  note: (text) => notes.push(text),
};

async function take(name: string, measure: Figure): Promise<Section> {
  notes = [];
  const [loadBefore = 0] = loadavg();
  const measurements = await measure(context);
  return { name, takenAt: new Date().toISOString(), isQuick: options.quick, loadBefore, measurements, notes };
}

try {
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (options.only.length === 0 || options.only.includes(name)) sections.push(await take(name, measure));
  }
} finally {
  await server.detach();
}

const report: Report = { machine: machine(), node: process.version, sections };
process.stdout.write(`\n${formatReport(report)}\n`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
if (options.document) document(report);
