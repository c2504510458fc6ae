// npm run bench: builds what has changed (the benchmark measures the built product), then measures.
import './typescript.mjs';
import { buildIfChanged } from './prepare.mjs';
import { ensureChromium } from './test-prerequisites.mjs';

const needsBrowser = !process.argv.includes('--only') || process.argv.includes('web');
if (needsBrowser) process.stderr.write(`${(await ensureChromium()).output}\n`);
await buildIfChanged();
await import('../bench/run.ts');
