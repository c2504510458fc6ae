// `npm test` runs the fast lane, `npm run test:all` (--all) every lane, `npm test -- unit lint` the named suites. `--changed` runs the static
// checks and the specs related to changes since the last commit, or since `--since <commit>`.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installIfChanged, nodeVersionProblem } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const problem = nodeVersionProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
// The imports below need the installed packages.
installIfChanged();
const { runSuites } = await import('./test-suites.mjs');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'HEAD' },
  },
});
const hasPassed = await runSuites(positionals, {
  isEverything: values.all,
  changedSince: values.changed ? values.since : undefined,
});
process.exitCode = hasPassed ? 0 : 1;
