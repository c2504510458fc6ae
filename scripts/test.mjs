// npm test: every check and every suite, all of them even when one fails. `npm test -- unit lint` runs those named.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { installIfChanged, problemOfNode } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const problem = problemOfNode();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
// Only now: what follows needs the installed packages.
installIfChanged();
const { runSuites } = await import('./test-suites.mjs');
process.exitCode = (await runSuites(process.argv.slice(2))) ? 0 : 1;
