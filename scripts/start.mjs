// npm start: installs and builds what has changed, then runs the launcher. No dependencies: this runs before they are installed.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildIfChanged, installIfChanged, nodeVersionProblem } from './prepare.mjs';

const problem = nodeVersionProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  installIfChanged();
  await buildIfChanged();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import('../dist/apps/api/src/start.js');
