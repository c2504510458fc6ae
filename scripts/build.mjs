// npm run build: everything that npm start would build, without starting it; with --tests also what tests start.
import process from 'node:process';
import { buildIfChanged } from './prepare.mjs';

await buildIfChanged(['api', 'web', ...(process.argv.includes('--tests') ? ['tests'] : [])]);
