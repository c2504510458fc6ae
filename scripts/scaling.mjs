// Calculates the tables of docs/scaling.md; --check only compares.
import './typescript.mjs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from './generate/drift.mjs';

const { DOCUMENT, scalingDocument } = await import('../bench/scaling/document.ts');

if (process.argv.includes('--check')) await reportDrift(DOCUMENT, scalingDocument(), 'npm run scaling');
else await writeFile(DOCUMENT, scalingDocument());
