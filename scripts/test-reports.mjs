// Reads the report of a suite: counts, failures, and tests that passed only on a retry.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

export const RESULTS = 'test-results';
const SHOWN_LINES = 14;

/**
 * @typedef {object} SuiteReport
 * @property {number} passed
 * @property {number} failed includes skipped tests, which prove nothing
 * @property {string[]} retried tests that passed only on a retry
 * @property {string} [failures] failed tests with their errors
 */

/** @returns {SuiteReport} */
export function readCheck(_name, code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, retried: [] };
}

/** @returns {SuiteReport} */
export function readJest(name) {
  const report = readReport(name);
  if (report === undefined) return { passed: 0, failed: 1, retried: [] };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = report;
  const files = report.testResults.map(({ name: path, ...rest }) => ({
    ...rest,
    file: relative(process.cwd(), path),
  }));
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + numTodoTests + numRuntimeErrorTestSuites,
    retried: files.flatMap(({ file, assertionResults }) =>
      assertionResults
        .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
        .map(({ fullName }) => `${file} ${fullName}`),
    ),
    failures: files.flatMap(jestFailures).join('\n'),
  };
}

function jestFailures({ file, message, assertionResults }) {
  // A file that does not load has no tests, only a message.
  if (assertionResults.length === 0) return [`${file}\n${shortened({ message })}`];
  return assertionResults
    .filter(({ status }) => status !== 'passed')
    .map(({ ancestorTitles, title, status, failureMessages }) =>
      [
        `${file} (${status}) ${[...ancestorTitles, title].join(' ')}`,
        ...failureMessages.map(shortenedFailure),
      ].join('\n'),
    );
}

/** Message of a failure with the first stack line in our own code. */
function shortenedFailure(failure) {
  const [message, ...stack] = stripVTControlCharacters(failure).split(/\n +at /);
  const own = stack.find((frame) => frame.includes(process.cwd()) && !frame.includes('node_modules'));
  const [, line] = own?.match(/:(\d+):\d+\)?$/) ?? [];
  return shortened({ message, location: line && { line } });
}

/** @returns {SuiteReport} */
export function readPlaywright(name) {
  const report = readReport(name);
  if (report?.stats === undefined) return { passed: 0, failed: 1, retried: [] };
  const { expected, flaky, unexpected, skipped } = report.stats;
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  const runs = specsOf(report).flatMap(({ title, file, line, tests }) =>
    tests.map(({ status, results }) => ({ name: `${file}:${line} ${title}`, status, results })),
  );
  return {
    passed: expected + flaky,
    failed: unexpected + skipped,
    retried: runs.filter(({ status }) => status === 'flaky').map((run) => run.name),
    failures: runs
      .filter(({ status }) => status !== 'expected' && status !== 'flaky')
      .map((run) => [run.name, ...run.results.flatMap(({ errors = [] }) => errors).map(shortened)].join('\n'))
      .join('\n'),
  };
}

/** First lines of an error and its location. */
function shortened({ message = '', location }) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((text) => text.trim() !== '');
  const first = lines.slice(0, SHOWN_LINES).map((text) => `  ${text.slice(0, 200)}`);
  return [...(location ? [`  line ${location.line}`] : []), ...first].join('\n');
}

/** Drops the lines of passed tests, which stay in the log of the suite. */
export function withoutPassed(output) {
  return output
    .split('\n')
    .filter((text) => !/^(\s+✓ |PASS )/.test(text))
    .join('\n');
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(`${RESULTS}/${name}.json`, 'utf8'));
  } catch {
    return undefined;
  }
}
