import { join } from 'node:path';
import { isBlankHtml } from '@nimo/domain';
import { cleanHtml, isCleanHtml, repairTruncatedHtml, plainTextOf, sanitiseRichText } from '@nimo/rich-text';
import { createServer } from 'vite';
import { formulaPieces } from '../../apps/web/src/components/rich-text/formula-source.js';
import { HOSTILE_HTML } from '@nimo/rich-text/testing';
import type { BenchContext } from '../bench-context.js';
import { atMost, type Measurement } from '../report.js';

const WEB = join(import.meta.dirname, '../../apps/web');
/** Maximum length of a body. */
const LENGTH = 64_000;
const RUNS = 5;
/** Four times the input takes four times as long. With quadratic growth it would take sixteen times as long. */
const LINEAR = 4;
const MAX_GROWTH = 9;
/** Times below this are mostly noise. */
const FLOOR_MS = 3;

type Shape = readonly [name: string, make: (length: number) => string];

interface Work {
  readonly name: string;
  readonly run: (text: string) => unknown;
  readonly shapes: readonly Shape[];
}

interface Result {
  readonly shape: string;
  readonly growth: number;
  readonly ms: number;
}

/** Growth of CPU time from a quarter of the longest hostile input to the whole input. */
export async function measureInputs(context: BenchContext): Promise<readonly Measurement[]> {
  const works: Work[] = [
    ...HTML_WORK.map(([name, run]) => ({ name, run, shapes: HOSTILE_HTML })),
    { name: 'content detection', run: isBlankHtml, shapes: TAG_PIECES },
    { name: 'formula detection', run: formulaPieces, shapes: FORMULA_PIECES },
    { name: 'Markdown parsing', run: await markdownReader(), shapes: MARKDOWN_PIECES },
  ];
  return works.flatMap((work) => {
    context.log(`hostile input, ${work.name}`);
    return measurementsOf(work);
  });
}

function measurementsOf({ name, run, shapes }: Work): Measurement[] {
  const results = shapes.map(([shape, make]) => measureShape(shape, run, make(LENGTH / 4), make(LENGTH)));
  const steepest = highest(results, ({ growth }) => growth);
  const slowest = highest(results, ({ ms }) => ms);
  const characters = `${LENGTH.toLocaleString('en')} characters`;
  return [
    {
      figure: `growth over hostile input, ${name}`,
      what: `to ${characters}; worst of ${shapes.length}: ${steepest.shape}`,
      value: steepest.growth,
      unit: 'times',
      limit: { what: 'linear growth', value: LINEAR },
      goal: atMost(steepest.growth, MAX_GROWTH, 'times'),
    },
    {
      figure: `time of hostile input, ${name}`,
      what: `${characters}; slowest of ${shapes.length}: ${slowest.shape}`,
      value: slowest.ms,
      unit: 'ms',
    },
  ];
}

function measureShape(shape: string, run: Work['run'], quarter: string, whole: string): Result {
  run(quarter);
  const ms = minMs(() => run(whole));
  return {
    shape,
    ms,
    growth:
      ms /
      Math.max(
        minMs(() => run(quarter)),
        FLOOR_MS,
      ),
  };
}

/** CPU time, which other processes affect little. */
function minMs(run: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}

function highest(results: readonly Result[], figure: (one: Result) => number): Result {
  return results.reduce((most, one) => (figure(one) > figure(most) ? one : most));
}

/** The module imports style sheets, which only Vite can load. */
async function markdownReader(): Promise<Work['run']> {
  const server = await createServer({
    configFile: false,
    root: WEB,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false },
  });
  const loaded = await server.ssrLoadModule('/src/features/editor/pasted-markdown.ts');
  await server.close();
  return loaded['markdownHtml'] as Work['run'];
}

const HTML_WORK: readonly (readonly [name: string, run: Work['run']])[] = [
  ['sanitising', sanitiseRichText],
  ['storing', cleanHtml],
  ['checking stored HTML', isCleanHtml],
  ['plain text', (html) => plainTextOf(html)],
  ['repairing truncated HTML', repairTruncatedHtml],
];

const repeated = (pieces: readonly string[]): Shape[] =>
  pieces.map((piece) => [
    JSON.stringify(piece),
    (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  ]);

const TAG_PIECES = repeated([
  '<a',
  '<img ',
  '<img src ',
  '<b data-tex="',
  '<b data-tex',
  '&#',
  '&nbsp',
  '< src= ',
]);
const FORMULA_PIECES = repeated(['$', '$$', '$ ', '$a', '$a ', '\\$', '$\\$', '$$a', '$x^', '$5-']);
const MARKDOWN_PIECES = repeated([
  '**',
  '**a',
  '[a](',
  '`',
  '`a',
  '$a',
  '~~',
  '~~a',
  '- ',
  '- a\n',
  '|a',
  '*a',
]);
