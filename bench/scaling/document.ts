import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMED, COUNTED, measured } from './assumptions.js';
import { busyHour } from './busy-hour.js';
import { type Demand, demandOf, loadOf } from './growth.js';

export const DOCUMENT = 'docs/scaling.md';
const STUDENTS = [10_000, 1_000_000, 100_000_000];
const YEARS = 3;
const PARTITIONS = [1, 2, 4, 8, 16];

/** The page with its tables calculated anew; the text between them is written by hand. */
export function scalingDocument(): string {
  const path = join(import.meta.dirname, '../..', DOCUMENT);
  return Object.entries(TABLES).reduce(
    (text, [name, table]) => {
      const marked = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
      if (!marked.test(text)) throw new Error(`${DOCUMENT} has no place for "${name}"`);
      return text.replace(marked, (_all, begin: string, end: string) => `${begin}\n${table()}\n${end}`);
    },
    readFileSync(path, 'utf8'),
  );
}

const TABLES = { inputs, demand, load, 'busy-hour': busyHours };

function inputs(): string {
  const rates = measured();
  return table(
    ['taken from', 'value'],
    [
      ['appends a second, 32 clients (`appends`)', whole(rates.appendsASecond)],
      [
        'pages a second, api and PostgreSQL on two cores (`pages`, the slower one)',
        whole(rates.pagesASecond),
      ],
      ['commands a second that all projections kept up with (`visible`)', whole(rates.followedASecond)],
      ['events a second in a rebuild of the slowest projection (`rebuild`)', whole(rates.rebuiltASecond)],
      ['facts a second of new scoring rules, a million of them (`rescoring`)', whole(rates.rescoredASecond)],
      ['events a question brings, itself included (imported community)', String(COUNTED.eventsAQuestion)],
      ['bytes an event: log and its indexes, chain, all read models', bytesAnEvent()],
      ['bytes a search document', whole(COUNTED.searchBytesADocument)],
      [
        'assumed: students active on a school day, school days a year',
        `${percent(ASSUMED.activeShare)}, ${ASSUMED.schoolDaysAYear}`,
      ],
      [
        'assumed: pages and questions of an active student a day',
        `${ASSUMED.pagesADay}, ${ASSUMED.questionsADay}`,
      ],
      [
        'assumed: busiest hour, its busiest second over its mean',
        `${percent(ASSUMED.busiestHour)} of the day, ${ASSUMED.busiestSecond} times`,
      ],
    ],
  );
}

const bytesAnEvent = (): string =>
  [COUNTED.logBytesAnEvent, COUNTED.chainBytesAnEvent, COUNTED.readBytesAnEvent].map(whole).join(', ');

function demand(): string {
  const all = STUDENTS.map(demandOf);
  return columns(all, [
    ['spaces', ({ spaces }) => whole(spaces)],
    ['events a school day', ({ eventsADay }) => whole(eventsADay)],
    ['events in the busiest second', ({ eventsASecond }) => whole(eventsASecond)],
    ['pages in the busiest second', ({ pagesASecond }) => whole(pagesASecond)],
    ['browsers open at once', ({ openBrowsers }) => whole(openBrowsers)],
    ['events a year', ({ eventsAYear }) => whole(eventsAYear)],
    ['log and chain a year', ({ logBytesAYear }) => bytes(logBytesAYear)],
    ['read models a year (twice during a rebuild)', ({ readBytesAYear }) => bytes(readBytesAYear)],
    ['search documents a year', ({ documentsAYear }) => whole(documentsAYear)],
    ['their text, as much memory in Typesense', ({ searchBytesAYear }) => bytes(searchBytesAYear)],
  ]);
}

function load(): string {
  const all = STUDENTS.map(demandOf);
  const on = (show: (of: ReturnType<typeof loadOf>) => string) => (each: Demand) => show(loadOf(each, YEARS));
  return columns(all, [
    ['appends, of what one PostgreSQL took', on(({ ofAppends }) => percent(ofAppends))],
    ['following, of what one worker kept up with', on(({ ofFollowing }) => percent(ofFollowing))],
    ['api processes with two cores each', on(({ apis }) => whole(apis))],
    [`rebuild of the slowest projection after ${YEARS} years`, on(({ rebuildHours }) => hours(rebuildHours))],
    ['partitions for a rebuild in one day', on(({ partitionsForADay }) => whole(partitionsForADay))],
    [
      'new scoring rules over all of it, one PostgreSQL',
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
      'events of the largest space',
      'of the busiest partition',
      'mean wait',
      'longest wait',
      'left after the hour',
    ],
    rows.map((row) => [
      whole(row.students),
      String(row.partitions),
      percent(row.largestSpace),
      percent(row.busiestPartition),
      seconds(row.meanWait),
      seconds(row.longestWait),
      whole(row.left),
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
  ).find(([, least]) => value >= least) ?? ['kB', 1e3];
  return `${(value / size).toFixed(1)} ${unit}`;
}
