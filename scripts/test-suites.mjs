// Suites of the test lanes and their runner. `npm test` runs the fast lane, `npm run test:all` also the slow one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import process from 'node:process';
import { suitesOfChanges } from './changed-specs.mjs';
import { RESULTS, readCheck, readJest, readPlaywright, withoutPassed } from './test-reports.mjs';
import { ensureChromium, ensureRedis } from './test-prerequisites.mjs';

/** Timeout of a hanging suite. */
const SUITE_LIMIT_MS = 45 * 60_000;

const check = (name, ...command) => ({ name, command, read: readCheck });
const script = (path, ...parameters) =>
  check(basename(path), process.execPath, `scripts/${path}.mjs`, ...parameters);
const jest = (project) => ({
  name: project,
  command: [
    process.execPath,
    '--experimental-vm-modules',
    '--import',
    './scripts/typescript.mjs',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    project,
    '--ci',
    '--json',
    `--outputFile=${RESULTS}/${project}.json`,
  ],
  read: readJest,
});
/** Inserts arguments before --selectProjects, which takes everything after it for project names. */
const withArguments = (suite, parameters = []) => ({
  ...suite,
  command: suite.command?.toSpliced(suite.command.indexOf('--selectProjects'), 0, ...parameters),
});
const journeys = (name, ...parameters) => ({
  name,
  command: [
    'node_modules/.bin/playwright',
    'test',
    '--config',
    'e2e/playwright.config.ts',
    '--output',
    resolve(RESULTS, name),
    ...parameters,
  ],
  // Absolute: Playwright resolves a relative path against the folder of its configuration.
  environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(RESULTS, `${name}.json`) },
  read: readPlaywright,
});
const slow = (suite) => ({ ...suite, isSlow: true });
/** Prints the output even on success: it may warn that nothing was checked. */
const alwaysShown = (suite) => ({ ...suite, isAlwaysShown: true });

const STATIC = [
  // Longest first, so that the others run in parallel with it.
  check('lint', 'node_modules/.bin/oxlint'),
  check('format', 'node_modules/.bin/oxfmt', '--check'),
  script('generate/env-example', '--check'),
  check('boundaries', 'node_modules/.bin/depcruise', '--config', '.dependency-cruiser.cjs', 'apps', 'libs'),
  check(
    'folders',
    'node_modules/.bin/depcruise',
    '--config',
    '.dependency-cruiser.folders.cjs',
    'apps',
    'libs',
  ),
  check(
    'unused',
    'node_modules/.bin/knip',
    '--no-progress',
    // Option types are exported for callers; `boundaries` checks imports.
    '--exclude',
    'unlisted,unresolved,binaries,types',
  ),
  script('types'),
  script('checks/coverage'),
  script('checks/english'),
  script('scaling', '--check'),
  alwaysShown(script('checks/rules')),
  script('generate/pictures', '--check'),
  script('checks/check-client-types'),
  script('generate/sdl', '--check'),
  alwaysShown(script('checks/api-changes')),
  script('generate/schema-snapshot', '--check'),
  // In the slow lane, so that a new advisory does not fail an unchanged commit.
  slow(alwaysShown(script('checks/vulnerabilities'))),
];

/** Groups run in sequence, the suites of a group `width` at a time. */
const GROUPS = [
  {
    width: 2,
    suites: [
      { name: 'chromium', prepare: ensureChromium, read: readCheck },
      { name: 'redis', prepare: ensureRedis, read: readCheck },
    ],
  },
  { width: 2, suites: STATIC },
  {
    width: 1,
    suites: [
      jest('unit'),
      jest('web'),
      {
        ...script('build', '--tests'),
        // The suites below start the CLI many times; the built one starts twice as fast.
        passed: () => (process.env.NIMO_TEST_BUILT = '1'),
      },
      script('checks/first-load'),
      jest('integration'),
      jest('api'),
      journeys('core-journeys', '--project', 'core', '--workers', '2'),
      slow(jest('slow')),
      slow(jest('faults')),
      slow(journeys('journeys', '--project', 'together', '--workers', '2')),
      slow(journeys('journeys-alone', '--project', 'alone')),
    ],
  },
];

/**
 * Runs suites, prints a summary table and writes it to `test-results/summary.json`.
 * @param names names of suites; empty for the whole lane
 * @param {{ isEverything: boolean, changedSince?: string }} options `changedSince`: a commit; runs the static checks and related specs only
 * @returns {Promise<boolean>} whether everything passed
 */
export async function runSuites(names, { isEverything, changedSince }) {
  const known = GROUPS.flatMap(({ suites }) => suites.map(({ name }) => name));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown suite ${unknown.join(', ')}. Suites: ${known.join(', ')}.\n`);
    return false;
  }
  const changes = changedSince === undefined ? undefined : suitesOfChanges(changedSince);
  const isSelected = ({ name, isSlow }) => {
    if (names.length > 0) return names.includes(name);
    if (changes) return isSlow !== true && (STATIC.some((suite) => suite.name === name) || changes.has(name));
    return isEverything || isSlow !== true;
  };
  if (isEverything) process.env.NIMO_RANDOM_SEEDS ??= '1';
  const startedAt = new Date();
  const tree = { commit: git('rev-parse', 'HEAD'), isClean: git('status', '--porcelain') === '' };
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const results = [];
  for (const { width, suites } of GROUPS) {
    const waiting = suites.filter(isSelected);
    const lane = async () => {
      for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift())
        results.push(await runSuite(changes ? withArguments(suite, changes.get(suite.name)) : suite));
    };
    await Promise.all(Array.from({ length: width }, lane));
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const [passed, failed] = [sum('passed'), sum('failed')];
  const hasPassed = failed === 0 && passed > 0;
  const summary = {
    ...tree,
    lane: names.length > 0 || changes ? 'some' : isEverything ? 'all' : 'fast',
    node: process.version,
    startedAt,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    suites: results,
    passed,
    failed,
    verdict: hasPassed ? 'passed' : 'failed',
  };
  writeFileSync(`${RESULTS}/summary.json`, `${JSON.stringify(summary, undefined, 2)}\n`);
  process.stdout.write(`${tableOf(summary)}\n\n${passed} passed, ${failed} failed\n`);
  return hasPassed;
}

function tableOf({ suites, seconds, commit, isClean }) {
  const retried = suites.flatMap(({ retried: names }) => names);
  return [
    '',
    ...suites.map(line),
    `${Math.floor(seconds / 60)} min ${seconds % 60} s on ${commit.slice(0, 9)}${isClean ? '' : ', with uncommitted changes'}`,
    ...(retried.length > 0 ? ['', 'Passed only on a retry:', ...retried.map((name) => `  ${name}`)] : []),
  ].join('\n');
}

function line({ name, passed, failed, seconds }) {
  const counts = `${passed} passed, ${failed} failed`;
  return `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(20)} ${counts.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s`;
}

async function runSuite(suite) {
  const start = performance.now();
  const { code, output } = await (suite.prepare?.() ?? runCommand(suite));
  const report = suite.read(suite.name, code);
  // A suite that fails or runs nothing never counts as passed.
  const hasFailed = code !== 0 || report.failed > 0 || report.passed === 0;
  const result = {
    name: suite.name,
    passed: report.passed,
    failed: hasFailed ? Math.max(1, report.failed) : 0,
    retried: report.retried,
    seconds: Math.round((performance.now() - start) / 100) / 10,
  };
  process.stdout.write(`${line(result)}\n`);
  if (hasFailed || suite.isAlwaysShown) {
    const text = (hasFailed && report.failures) || withoutPassed(output);
    process.stdout.write(`${text.trimEnd()}\n`);
  } else suite.passed?.();
  return result;
}

async function runCommand({ name, command: [program, ...parameters], environment = {} }) {
  const child = spawn(program, parameters, {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(`${RESULTS}/${name}.log`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      file.write(text);
    });
  }
  const limit = setTimeout(() => {
    output += `\n${name} timed out after ${SUITE_LIMIT_MS / 60_000} minutes.\n`;
    child.kill('SIGKILL');
  }, SUITE_LIMIT_MS);
  const [code] = await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([error]) => [String(error)]),
  ]);
  clearTimeout(limit);
  file.end();
  return { code, output };
}

function git(...parameters) {
  const { status, stdout } = spawnSync('git', parameters, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}
