// npm run nimo -- <command>: runs the CLI, rebuilding it first if its sources changed.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './prepare.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await buildIfChanged(['api']);
await import('../dist/apps/api/src/cli.js');
