// Breaks the specification line by line, and sees the test that is named for it fail: each mutation of docs/specification-mutations/ is made in a
// copy of HEAD, never in this tree. Without it the test has to pass, with it to fail by what it expects. The results, with date and commit,
// stand beside the mutations. `--only <pattern>` takes rows and files by their words, `--changed` those whose result is missing or stale,
// `--kind web|unit|api|integration` those of a project; `--lanes 2` works in two copies at
// once; `--dry` writes nothing and takes the tree as it stands, changes not yet committed too; `--table` only writes what is proven into the table.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  DOCUMENT,
  documentWithProofs,
  fingerprint,
  mutated,
  nameOf,
  NOT_YET,
  provenNames,
  readMutations,
  readNotYet,
  specOf,
  trackedFiles,
} from './specification-rows.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    kind: { type: 'string' },
    changed: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '1' },
    dry: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
  },
});

const PROJECTS = [
  ['.slow-spec.ts', 'slow'],
  ['.e2e-spec.ts', 'api'],
  ['.int-spec.ts', 'integration'],
  ['.spec.tsx', 'web'],
  ['.spec.ts', 'unit'],
];
const projectOf = (path) =>
  path.startsWith('apps/web/') ? 'web' : PROJECTS.find(([ending]) => path.endsWith(ending))?.[1];

/** How a test says that what it expects is not so, or the product refuses what the test does; anything else (a module that does not load, a type error) proves nothing. */
const EXPECTATION =
  /^\s*DomainError|expect\(|TestingLibraryElementError|AssertionError|Unable to find|expected/im;

function git(...words) {
  const { status, stdout, stderr } = spawnSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  return stdout;
}

const copies = new Set();
process.on('exit', () => copies.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** In one of few places, so that jest knows what it has translated before; none that another run is in. */
function newFolder() {
  const here = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 8);
  for (let number = 0; ; number += 1) {
    const folder = join(tmpdir(), `nimo-mutations-${here}-${number}`);
    try {
      mkdirSync(folder);
      copies.add(folder);
      return folder;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function makeCopy() {
  const folder = newFolder();
  git('clone', '--quiet', '--shared', '.', folder);
  if (options.dry)
    for (const path of git('ls-files', '--modified', '--others', '--exclude-standard').split('\n'))
      if (path !== '' && existsSync(path)) cpSync(path, join(folder, path));
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The title of a test as a pattern: what a table of cases fills in may be anything. */
const patternOf = (title) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/%[a-z]|\\\$[\w.]+/g, '.*');

/** Runs tests of a spec by their titles; answers what jest says of each. */
async function run(folder, path, titles) {
  const output = join(folder, 'mutation-result.json');
  rmSync(output, { force: true });
  const words = ['--silent', '--json', '--outputFile', output];
  const child = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--import',
      './scripts/typescript.mjs',
      '--no-warnings',
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      projectOf(path),
      '--testNamePattern',
      titles.map(patternOf).join('|'),
      ...words,
      '--runTestsByPath',
      path,
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  await new Promise((resolve) => child.on('exit', resolve));
  if (!existsSync(output)) return { tests: [], problem: 'jest wrote no result' };
  const [spec] = JSON.parse(readFileSync(output, 'utf8')).testResults;
  const tests = (spec?.assertionResults ?? []).filter(({ status }) => status !== 'pending');
  return { tests, problem: tests.length === 0 ? (spec?.message ?? 'no such spec').slice(0, 400) : undefined };
}

const ofTitle = (tests, title) => tests.filter(({ fullName }) => new RegExp(patternOf(title)).test(fullName));

const fails = (tests) =>
  tests.some(
    ({ status, failureMessages }) =>
      status === 'failed' && failureMessages.some((message) => EXPECTATION.test(message)),
  );

/** Runs tests with mutations in the copy, and takes them back. */
async function runWith(folder, mutations, path, titles) {
  const before = new Map();
  try {
    for (const mutation of mutations) {
      const target = join(folder, mutation.file);
      const now = readFileSync(target, 'utf8');
      const { problem, source } = mutated(now, mutation);
      if (problem !== undefined) return { tests: [], problem };
      if (!before.has(target)) before.set(target, now);
      writeFileSync(target, source);
    }
    return await run(folder, path, titles);
  } finally {
    for (const [target, source] of before) writeFileSync(target, source);
  }
}

/** Undefined when the test failed as it should. */
async function refutation(folder, { path, title, mutation }) {
  const { tests, problem } = await runWith(folder, [mutation], path, [title]);
  if (problem !== undefined) return `did not run: ${problem}`;
  const failed = ofTitle(tests, title).filter(({ status }) => status === 'failed');
  if (failed.length === 0) return 'the test passes all the same';
  if (fails(failed)) return undefined;
  return `fails, but by no expectation: ${failed[0]?.failureMessages[0]?.slice(0, 400)}`;
}

/**
 * A text has a test of its own, which reads nothing else. So half of the texts are changed at once, then the other half: each has to fail its
 * test when it is changed, and to pass it when it is not.
 */
async function tryTexts(folder, path, items, report) {
  const titles = [...new Set(items.map(({ title }) => title))];
  const isOdd = (item) => items.indexOf(item) % 2 === 1;
  const withEven = await runWith(
    folder,
    items.filter((item) => !isOdd(item)).map(({ mutation }) => mutation),
    path,
    titles,
  );
  const withOdd = await runWith(
    folder,
    items.filter(isOdd).map(({ mutation }) => mutation),
    path,
    titles,
  );
  const problem = withEven.problem ?? withOdd.problem;
  for (const item of items) {
    const own = ({ tests }) => testsOfText(ofTitle(tests, item.title), item.mutation.text);
    const [changed, unchanged] = isOdd(item) ? [withOdd, withEven] : [withEven, withOdd];
    if (problem !== undefined) report(item, problem);
    else if (!own(unchanged).every(({ status }) => status === 'passed'))
      report(item, 'fails without it as well');
    else report(item, fails(own(changed)) ? undefined : 'the test passes all the same');
  }
}

function testsOfText(tests, text) {
  const naming = tests.filter(
    ({ title }) => title.includes(`“${text}”`) || title.includes(JSON.stringify(text)),
  );
  return naming.length > 0 ? naming : tests;
}

function chosen(files) {
  const only = options.only === undefined ? undefined : new RegExp(options.only, 'i');
  return readMutations().flatMap(({ path: kept, entries }) =>
    entries.flatMap((mutation) => {
      const { path, title } = specOf(mutation, files);
      if (only !== undefined && !only.test(`${kept} ${nameOf(mutation)} ${mutation.test} ${mutation.file}`))
        return [];
      if (
        options.changed &&
        path !== undefined &&
        mutation.proven?.of === fingerprint(mutation, { path, title })
      )
        return [];
      if (options.kind !== undefined && (path === undefined || projectOf(path) !== options.kind)) return [];
      return [{ kept, mutation, path, title }];
    }),
  );
}

const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

/** The result beside its mutation; the file is read anew, as it may have been written meanwhile. */
function keep({ kept, mutation, path, title }, isProven, folder) {
  const entries = JSON.parse(readFileSync(kept, 'utf8'));
  const entry = entries.find(
    (other) =>
      nameOf(other) === nameOf(mutation) && other.test === mutation.test && other.find === mutation.find,
  );
  if (entry === undefined) return;
  delete entry.proven;
  if (isProven)
    entry.proven = {
      date: new Date().toISOString().slice(0, 10),
      commit,
      of: fingerprint(mutation, { path, title }, folder),
    };
  writeFileSync(kept, json(entries));
}

/** What was proven leaves the list of what was not; nothing comes onto it by itself. The table says it too. */
function writeWhatIsProven() {
  const proven = provenNames();
  writeFileSync(NOT_YET, json(readNotYet().filter((name) => !proven.has(name))));
  writeFileSync(DOCUMENT, documentWithProofs());
}

if (options.table) {
  writeWhatIsProven();
  process.exit(0);
}
const work = chosen(trackedFiles());
const bySpec = new Map();
for (const item of work) bySpec.set(item.path, [...(bySpec.get(item.path) ?? []), item]);
const commit = git('rev-parse', '--short=8', 'HEAD').trim();

let refuted = 0;
function report(folder, item, problem) {
  if (problem !== undefined) refuted += 1;
  const said = problem === undefined ? 'proven' : 'NOT   ';
  process.stdout.write(`${said} ${nameOf(item.mutation)} (${item.mutation.test})\n`);
  if (problem !== undefined) process.stdout.write(`       ${problem}\n`);
  if (!options.dry) keep(item, problem === undefined, folder);
}

async function tryAll(folder, path, items) {
  const tell = (item, problem) => report(folder, item, problem);
  if (path === undefined) {
    for (const item of items) tell(item, `${item.mutation.test} is not there`);
    return;
  }
  const texts = items.filter(({ mutation }) => mutation.text !== undefined);
  if (texts.length > 0) await tryTexts(folder, path, texts, tell);
  const rows = items.filter(({ mutation }) => mutation.text === undefined);
  if (rows.length === 0) return;
  const before = await run(folder, path, [...new Set(rows.map(({ title }) => title))]);
  for (const item of rows) {
    const tests = ofTitle(before.tests, item.title);
    const passes = tests.length > 0 && tests.every(({ status }) => status === 'passed');
    tell(
      item,
      passes ? await refutation(folder, item) : `does not pass without the mutation ${before.problem ?? ''}`,
    );
  }
}

const waiting = [...bySpec];
async function lane() {
  const folder = makeCopy();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await tryAll(folder, ...next);
}

await Promise.all(Array.from({ length: Number(options.lanes) }, lane));
if (!options.dry) writeWhatIsProven();
process.stdout.write(`${work.length} mutations, ${work.length - refuted} proven, ${refuted} not\n`);
process.exitCode = refuted === 0 ? 0 : 1;
