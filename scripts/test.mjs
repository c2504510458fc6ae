// npm test runs the fast lane, `npm run test:all` (--all) every lane. Names of suites run those: `npm test -- unit lint`.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { installIfChanged, problemOfNode } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const problem = problemOfNode();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
// The imports below need the installed packages.
installIfChanged();
const { runSuites } = await import('./test-suites.mjs');
const names = process.argv.slice(2).filter((word) => word !== '--all');
process.exitCode = (await runSuites(names, { isEverything: process.argv.includes('--all') })) ? 0 : 1;
