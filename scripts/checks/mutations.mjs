// Mutation tests of the specification: applies each mutation of docs/specification-mutations/ to a copy of HEAD, never to this tree. The named
// test must pass without the mutation and fail an expectation with it. Results are stored with the mutations, with date and commit.
// `--only <pattern>` selects by row, test or file, `--changed` those with a missing or stale result, `--kind web|unit|api|integration` those of
// a Jest project; `--lanes 2` works in two copies; `--dry` includes uncommitted changes and stores nothing; `--table` only updates the table.
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
  UNPROVEN,
  provenNames,
  readMutations,
  readUnproven,
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

/** Matches failed expectations and refusals of the product. Other failures (a module that does not load, a type error) prove nothing. */
const EXPECTATION =
  /^\s*DomainError|expect\(|TestingLibraryElementError|AssertionError|Unable to find|expected/im;

function git(...parameters) {
  const { status, stdout, stderr } = spawnSync('git', parameters, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr}`);
  return stdout;
}

const copies = new Set();
process.on('exit', () => copies.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** Reuses the same few paths, so that Jest finds its transform cache; skips those of other runs. */
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

/** Turns a test title into a pattern that matches every row of a table of cases. */
const patternOf = (title) => title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/%[a-z]|\\\$[\w.]+/g, '.*');

/** Runs tests of a spec by title and returns Jest's result of each. */
async function run(folder, path, titles) {
  const output = join(folder, 'mutation-result.json');
  rmSync(output, { force: true });
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
      '--silent',
      '--json',
      '--outputFile',
      output,
      '--runTestsByPath',
      path,
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  await new Promise((resolve) => child.on('exit', resolve));
  if (!existsSync(output)) return { tests: [], problem: 'Jest wrote no result' };
  const [spec] = JSON.parse(readFileSync(output, 'utf8')).testResults;
  const tests = (spec?.assertionResults ?? []).filter(({ status }) => status !== 'pending');
  return { tests, problem: tests.length === 0 ? (spec?.message ?? 'no such spec').slice(0, 400) : undefined };
}

const withTitle = (tests, title) =>
  tests.filter(({ fullName }) => new RegExp(patternOf(title)).test(fullName));

const fails = (tests) =>
  tests.some(
    ({ status, failureMessages }) =>
      status === 'failed' && failureMessages.some((message) => EXPECTATION.test(message)),
  );

/** Runs tests with mutations applied, then reverts them. */
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

/** Returns undefined if the test fails as it should. */
async function checkRow(folder, { path, title, mutation }) {
  const { tests, problem } = await runWith(folder, [mutation], path, [title]);
  if (problem !== undefined) return `could not run: ${problem}`;
  const failed = withTitle(tests, title).filter(({ status }) => status === 'failed');
  if (failed.length === 0) return 'the test passes with the mutation';
  if (fails(failed)) return undefined;
  return `fails, but not by an expectation: ${failed[0]?.failureMessages[0]?.slice(0, 400)}`;
}

/**
 * Checks texts in two runs instead of one run each: each text has its own test, so one half is mutated, then the other. A test must fail when
 * its text is mutated and pass when it is not.
 */
async function checkTexts(folder, path, items, report) {
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
    const own = ({ tests }) => testsOfText(withTitle(tests, item.title), item.mutation.text);
    const [changed, unchanged] = isOdd(item) ? [withOdd, withEven] : [withEven, withOdd];
    if (problem !== undefined) report(item, problem);
    else if (!own(unchanged).every(({ status }) => status === 'passed'))
      report(item, 'the test fails without the mutation too');
    else report(item, fails(own(changed)) ? undefined : 'the test passes with the mutation');
  }
}

function testsOfText(tests, text) {
  const naming = tests.filter(
    ({ title }) => title.includes(`“${text}”`) || title.includes(JSON.stringify(text)),
  );
  return naming.length > 0 ? naming : tests;
}

function selectMutations(files) {
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

/** Stores a result with its mutation. Rereads the file, which the other lane may have written. */
function saveResult({ kept, mutation, path, title }, isProven, folder) {
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

/** Removes proven names from the list of unproven ones and updates the table. Never adds to the list. */
function writeProofs() {
  const proven = provenNames();
  writeFileSync(UNPROVEN, json(readUnproven().filter((name) => !proven.has(name))));
  writeFileSync(DOCUMENT, documentWithProofs());
}

if (options.table) {
  writeProofs();
  process.exit(0);
}
const work = selectMutations(trackedFiles());
const bySpec = new Map();
for (const item of work) bySpec.set(item.path, [...(bySpec.get(item.path) ?? []), item]);
const commit = git('rev-parse', '--short=8', 'HEAD').trim();

let unprovenCount = 0;
function report(folder, item, problem) {
  if (problem !== undefined) unprovenCount += 1;
  const verdict = problem === undefined ? 'proven' : 'NOT   ';
  process.stdout.write(`${verdict} ${nameOf(item.mutation)} (${item.mutation.test})\n`);
  if (problem !== undefined) process.stdout.write(`       ${problem}\n`);
  if (!options.dry) saveResult(item, problem === undefined, folder);
}

async function checkSpec(folder, path, items) {
  const reportItem = (item, problem) => report(folder, item, problem);
  if (path === undefined) {
    for (const item of items) reportItem(item, `${item.mutation.test} does not exist`);
    return;
  }
  const texts = items.filter(({ mutation }) => mutation.text !== undefined);
  if (texts.length > 0) await checkTexts(folder, path, texts, reportItem);
  const rows = items.filter(({ mutation }) => mutation.text === undefined);
  if (rows.length === 0) return;
  const before = await run(folder, path, [...new Set(rows.map(({ title }) => title))]);
  for (const item of rows) {
    const tests = withTitle(before.tests, item.title);
    const passes = tests.length > 0 && tests.every(({ status }) => status === 'passed');
    reportItem(
      item,
      passes ? await checkRow(folder, item) : `the test fails without the mutation ${before.problem ?? ''}`,
    );
  }
}

const waiting = [...bySpec];
async function lane() {
  const folder = makeCopy();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    await checkSpec(folder, ...next);
}

await Promise.all(Array.from({ length: Number(options.lanes) }, lane));
if (!options.dry) writeProofs();
process.stdout.write(
  `${work.length} mutations, ${work.length - unprovenCount} proven, ${unprovenCount} not\n`,
);
process.exitCode = unprovenCount === 0 ? 0 : 1;
