// npm run bench: builds what has changed, since the figures are the built product's, and measures.
import './typescript.mjs';
import { buildIfChanged } from './prepare.mjs';
import { ensureChromium } from './test-prerequisites.mjs';

const isOfBrowser = !process.argv.includes('--only') || process.argv.includes('web');
if (isOfBrowser) process.stderr.write(`${(await ensureChromium()).output}\n`);
await buildIfChanged();
await import('../bench/run.ts');
