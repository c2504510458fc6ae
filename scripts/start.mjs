// npm start: checks, installs and builds what has changed, then runs the launcher. Plain JavaScript without dependencies,
// because it runs before anything is installed.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildIfChanged, installIfChanged, problemOfNode } from './prepare.mjs';

const problem = problemOfNode();
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
