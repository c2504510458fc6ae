// npm run build: builds what npm start would build, without starting it; --tests adds the programs that tests start.
import process from 'node:process';
import { buildIfChanged } from './prepare.mjs';

await buildIfChanged(['api', 'web', ...(process.argv.includes('--tests') ? ['tests'] : [])]);
