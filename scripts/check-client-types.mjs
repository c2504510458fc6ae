// Generates the client's types again and compares them with the committed ones.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from './drift.mjs';

const file = 'apps/web/src/generated/graphql.ts';
const committed = await readFile(file, 'utf8').catch(() => '');
execFileSync(process.execPath, ['scripts/codegen.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
const generated = await readFile(file, 'utf8');
await writeFile(file, committed);
await reportDrift(file, generated, 'npm run codegen');
