// What npm test runs, fast things first, and how their results are counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium, ensureRedis } from './test-prerequisites.mjs';

const RESULTS = 'test-results';
const SUITE_LIMIT_MS = 20 * 60_000;

const check = (name, ...command) => ({ name, command, count: countCheck });
const script = (name, ...parameters) => check(name, process.execPath, `scripts/${name}.mjs`, ...parameters);
const jest = (project) => ({
  name: project,
  command: [
    process.execPath,
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    project,
    '--ci',
    '--json',
    `--outputFile=${RESULTS}/${project}.json`,
  ],
  count: countJest,
  report: reportJest,
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
  // Absolute, as Playwright takes a relative one from the folder of its configuration.
  environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: resolve(RESULTS, `${name}.json`) },
  count: countPlaywright,
  report: reportPlaywright,
});

/** Groups run one after the other; the suites of a group `width` at a time. */
const GROUPS = [
  {
    width: 2,
    suites: [
      { name: 'chromium', prepare: ensureChromium, count: countCheck },
      { name: 'redis', prepare: ensureRedis, count: countCheck },
    ],
  },
  {
    width: 2,
    suites: [
      // The longest first: the others fit beside it.
      check('lint', 'node_modules/.bin/eslint', '.', '--max-warnings', '0'),
      check('format', 'node_modules/.bin/prettier', '--check', '--log-level', 'warn', '.'),
      script('env-example', '--check'),
      check(
        'boundaries',
        'node_modules/.bin/depcruise',
        '--config',
        '.dependency-cruiser.cjs',
        'apps',
        'libs',
      ),
      check(
        'unused',
        'node_modules/.bin/knip',
        '--no-progress',
        // Types of options are there for whoever calls; what is imported and where, the boundaries say.
        '--exclude',
        'unlisted,unresolved,binaries,types',
      ),
      script('types'),
      script('coverage'),
      script('scaling', '--check'),
      script('decisions', '--check'),
      // Shown also where it passes: promtool may not be at hand.
      { ...script('rules'), isAlwaysShown: true },
      script('pictures', '--check'),
      script('check-client-types'),
      script('sdl', '--check'),
      // Shown also where it passes: a change may surprise clients and break none.
      { ...script('api-changes'), isAlwaysShown: true },
      script('schema-snapshot', '--check'),
      // Shown also where it passes: a registry may have nothing to say.
      { ...script('vulnerabilities'), isAlwaysShown: true },
    ],
  },
  {
    width: 1,
    suites: [
      jest('unit'),
      jest('web'),
      {
        ...script('build', '--tests'),
        // For suites that start the command line many times: as built just now it starts in half the time.
        passed: () => (process.env.NIMO_TEST_BUILT = '1'),
      },
      script('first-load'),
      jest('integration'),
      jest('api'),
      jest('faults'),
      journeys('e2e', '--project', 'together', '--workers', '2'),
      journeys('e2e-alone', '--project', 'alone'),
    ],
  },
];

/** @returns {Promise<boolean>} whether everything passed */
export async function runSuites(wanted) {
  const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name);
  const known = GROUPS.flatMap(({ suites }) => suites.map(({ name }) => name));
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no suite ${unknown.join(', ')}; there are ${known.join(', ')}.\n`);
    return false;
  }
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const total = { passed: 0, failed: 0 };
  for (const { width, suites } of GROUPS) {
    const waiting = suites.filter(isWanted);
    const lane = async () => {
      for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
        const { passed, failed } = await runSuite(suite);
        total.passed += passed;
        total.failed += failed;
      }
    };
    await Promise.all(Array.from({ length: width }, lane));
  }
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 && total.passed > 0;
}

async function runSuite(suite) {
  const startedAt = performance.now();
  const { code, output } = await (suite.prepare?.() ?? runCommand(suite));
  const counted = suite.count(suite.name, code);
  // A suite that fails, or runs nothing, never counts as passed.
  const isFailed = code !== 0 || counted.failed > 0 || counted.passed === 0;
  const result = { passed: counted.passed, failed: isFailed ? Math.max(1, counted.failed) : 0 };
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const word = isFailed ? 'FAILED' : 'ok    ';
  process.stdout.write(
    `${word} ${suite.name.padEnd(20)} ${`${result.passed} passed, ${result.failed} failed`.padEnd(26)} ${seconds} s\n`,
  );
  if (isFailed || suite.isAlwaysShown) {
    const said = (isFailed && suite.report?.(suite.name)) || withoutPassed(output);
    process.stdout.write(`${said.trimEnd()}\n`);
  } else suite.passed?.();
  return result;
}

/** Whoever reads of a failure looks for it: the lines of what passed stay in the suite's log. */
function withoutPassed(output) {
  return output
    .split('\n')
    .filter((line) => !/^(\s+✓ |PASS )/.test(line))
    .join('\n');
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
    output += `\n${name} took longer than ${SUITE_LIMIT_MS / 60_000} minutes and was ended.\n`;
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

function countCheck(_name, code) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A test that is skipped proves nothing, so it counts as failed. */
function countJest(name) {
  const report = readReport(name);
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = report;
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + numTodoTests + numRuntimeErrorTestSuites,
  };
}

function countPlaywright(name) {
  const stats = readReport(name)?.stats;
  if (stats === undefined) return { passed: 0, failed: 1 };
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected + stats.skipped };
}

/** Each test that failed, by its errors alone: records are cut, and what specs print besides fills them. */
function reportJest(name) {
  return (readReport(name)?.testResults ?? [])
    .flatMap(({ name: path, message, assertionResults }) => {
      const file = relative(process.cwd(), path);
      // A file that does not load has no tests, and says itself why.
      if (assertionResults.length === 0) return [`${file}\n${shortened({ message })}`];
      return assertionResults
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, status, failureMessages }) =>
          [`${file} (${status}) ${fullName}`, ...failureMessages.map(shortenedFailure)].join('\n'),
        );
    })
    .join('\n');
}

/** A failure's message, and of its stack the line that is ours. */
function shortenedFailure(failure) {
  const [message, ...stack] = stripVTControlCharacters(failure).split(/\n +at /);
  const own = stack.find((line) => line.includes(process.cwd()) && !line.includes('node_modules'));
  const [, line] = own?.match(/:(\d+):\d+\)?$/) ?? [];
  return shortened({ message, location: line && { line } });
}

/** Each journey that failed, by its errors alone. */
function reportPlaywright(name) {
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  return specsOf(readReport(name) ?? {})
    .flatMap(({ title, file, line, tests }) => tests.map((run) => ({ title, file, line, ...run })))
    .filter(({ status }) => status !== 'expected')
    .map(({ title, file, line, results }) => {
      const errors = results.flatMap((result) => result.errors ?? []);
      return [`${file}:${line} ${title}`, ...errors.map(shortened)].join('\n');
    })
    .join('\n');
}

const SHOWN_LINES = 14;

/** What went wrong, where, and the first lines of what was waited for. */
function shortened({ message = '', location }) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, 200)}`);
  return [...(location ? [`  line ${location.line}`] : []), ...shown].join('\n');
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8'));
  } catch {
    return undefined;
  }
}
