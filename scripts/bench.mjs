// npm run bench: builds what has changed, since the figures are the built product's, and measures.
import './typescript.mjs';
import { buildIfChanged } from './prepare.mjs';

buildIfChanged();
await import('../bench/run.ts');
