// Checks that the generated client types and operations are up to date.
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from '../generate/drift.mjs';

const WEB_FOLDER = 'apps/web/src/generated';
const webFiles = (await readdir(WEB_FOLDER, { recursive: true })).filter((name) => name.endsWith('.ts'));
const files = [
  ...webFiles.map((name) => `${WEB_FOLDER}/${name}`),
  'apps/web/src/i18n/en/errors.json',
  'apps/api/src/generated/web-documents.ts',
];
const read = () => Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));

const committed = await read();
execFileSync(process.execPath, ['scripts/generate/codegen.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
const generated = await read();
for (const [index, file] of files.entries()) {
  await writeFile(file, committed[index]);
  await reportDrift(file, generated[index], 'npm run codegen');
}
