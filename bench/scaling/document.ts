import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMPTIONS, MEASURED_SIZES, measured } from './assumptions.js';
import { busyHour } from './busy-hour.js';
import { type Demand, demandOf, loadOf } from './growth.js';

export const DOCUMENT = 'docs/scaling.md';
const STUDENTS = [10_000, 1_000_000, 100_000_000];
const YEARS = 3;
const PARTITIONS = [1, 2, 4, 8, 16];

/** Returns the page with recalculated tables; the text between them is written by hand. */
export function scalingDocument(): string {
  const path = join(import.meta.dirname, '../..', DOCUMENT);
  return Object.entries(TABLES).reduce(
    (text, [name, table]) => {
      const marked = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
      if (!marked.test(text)) throw new Error(`${DOCUMENT} has no markers for "${name}"`);
      return text.replace(marked, (_all, begin: string, end: string) => `${begin}\n${table()}\n${end}`);
    },
    readFileSync(path, 'utf8'),
  );
}

const TABLES = { inputs, demand, load, 'busy-hour': busyHours };

function inputs(): string {
  const rates = measured();
  return table(
    ['input', 'value'],
    [
      ['appends per second, 32 clients (`appends`)', whole(rates.appendsPerSecond)],
      [
        'pages per second, API and PostgreSQL on two cores (`pages`, the slower one)',
        whole(rates.pagesPerSecond),
      ],
      ['commands per second that all projections kept up with (`visible`)', whole(rates.followedPerSecond)],
      ['events per second in a rebuild of the slowest projection (`rebuild`)', whole(rates.rebuiltPerSecond)],
      [
        'facts per second under new scoring rules, of a million (`rescoring`)',
        whole(rates.rescoredPerSecond),
      ],
      [
        'events per question, including follow-ups (imported community)',
        String(MEASURED_SIZES.eventsPerQuestion),
      ],
      ['bytes per event: log with indexes, hash chain, all read models', bytesPerEvent()],
      ['bytes per search document', whole(MEASURED_SIZES.searchBytesPerDocument)],
      [
        'assumed: students active on a school day, school days per year',
        `${percent(ASSUMPTIONS.activeShare)}, ${ASSUMPTIONS.schoolDaysPerYear}`,
      ],
      [
        'assumed: pages and questions per active student and day',
        `${ASSUMPTIONS.pagesPerDay}, ${ASSUMPTIONS.questionsPerDay}`,
      ],
      [
        'assumed: busiest hour, ratio of its busiest second to its mean',
        `${percent(ASSUMPTIONS.busiestHour)} of the day, ${ASSUMPTIONS.busiestSecond} times`,
      ],
    ],
  );
}

const bytesPerEvent = (): string =>
  [MEASURED_SIZES.logBytesPerEvent, MEASURED_SIZES.chainBytesPerEvent, MEASURED_SIZES.readBytesPerEvent]
    .map(whole)
    .join(', ');

function demand(): string {
  const all = STUDENTS.map(demandOf);
  return columns(all, [
    ['spaces', ({ spaces }) => whole(spaces)],
    ['events per school day', ({ eventsPerDay }) => whole(eventsPerDay)],
    ['events in the busiest second', ({ eventsPerSecond }) => whole(eventsPerSecond)],
    ['pages in the busiest second', ({ pagesPerSecond }) => whole(pagesPerSecond)],
    ['open browsers', ({ openBrowsers }) => whole(openBrowsers)],
    ['events per year', ({ eventsPerYear }) => whole(eventsPerYear)],
    ['log and hash chain per year', ({ logBytesPerYear }) => bytes(logBytesPerYear)],
    ['read models per year (doubled during a rebuild)', ({ readBytesPerYear }) => bytes(readBytesPerYear)],
    ['search documents per year', ({ documentsPerYear }) => whole(documentsPerYear)],
    [
      'text of search documents (and memory in Typesense)',
      ({ searchBytesPerYear }) => bytes(searchBytesPerYear),
    ],
  ]);
}

function load(): string {
  const all = STUDENTS.map(demandOf);
  const on = (show: (of: ReturnType<typeof loadOf>) => string) => (each: Demand) => show(loadOf(each, YEARS));
  return columns(all, [
    ['appends, relative to one PostgreSQL server', on(({ ofAppends }) => percent(ofAppends))],
    ['live projections, relative to one worker', on(({ ofFollowing }) => percent(ofFollowing))],
    ['API processes with two cores each', on(({ apis }) => whole(apis))],
    [`rebuild of the slowest projection after ${YEARS} years`, on(({ rebuildHours }) => hours(rebuildHours))],
    ['partitions to rebuild in one day', on(({ partitionsForPerDay }) => whole(partitionsForPerDay))],
    [
      'new scoring rules for the whole history, one PostgreSQL server',
      on(({ rescoringSeconds }) => hours(rescoringSeconds / 3600)),
    ],
  ]);
}

function busyHours(): string {
  const rows = STUDENTS.flatMap((students) =>
    PARTITIONS.map((partitions) => ({ students, ...busyHour(demandOf(students), partitions) })),
  ).filter(({ students, partitions }) => students === STUDENTS.at(-1) || partitions === 1);
  return table(
    [
      'students',
      'partitions',
      'share of the largest space',
      'share of the busiest partition',
      'mean delay',
      'longest delay',
      'waiting after the hour',
    ],
    rows.map((row) => [
      whole(row.students),
      String(row.partitions),
      percent(row.largestSpace),
      percent(row.busiestPartition),
      seconds(row.meanWait),
      seconds(row.longestWait),
      whole(row.remaining),
    ]),
  );
}

function columns(
  all: readonly Demand[],
  lines: readonly (readonly [string, (of: Demand) => string])[],
): string {
  return table(
    ['students', ...all.map(({ students }) => whole(students))],
    lines.map(([name, show]) => [name, ...all.map(show)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

const whole = (value: number): string =>
  value >= 1 ? Math.round(value).toLocaleString('en') : value.toPrecision(1);
const percent = (share: number): string =>
  `${share >= 0.1 ? whole(share * 100) : Number((share * 100).toPrecision(2))} %`;
const seconds = (value: number): string => `${value < 10 ? value.toFixed(1) : whole(value)} s`;
const hours = (value: number): string =>
  value < 1 / 60
    ? `${(value * 3600).toFixed(1)} s`
    : value < 1
      ? `${whole(value * 60)} min`
      : `${whole(value)} h`;

function bytes(value: number): string {
  const [unit, size] = (
    [
      ['TB', 1e12],
      ['GB', 1e9],
      ['MB', 1e6],
    ] as const
  ).find(([, minimum]) => value >= minimum) ?? ['kB', 1e3];
  return `${(value / size).toFixed(1)} ${unit}`;
}
