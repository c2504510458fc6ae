// Writes .env.example from the registry of settings; with --check it only compares.
import './typescript.mjs';
import { readFile, writeFile } from 'node:fs/promises';

const file = new URL('../.env.example', import.meta.url);
const { envExample } = await import('../apps/api/src/platform/config/env-example.ts');

if (!process.argv.includes('--check')) await writeFile(file, envExample());
else if ((await readFile(file, 'utf8').catch(() => '')) !== envExample()) {
  process.stderr.write('.env.example does not match the registry of settings; run npm run env:example\n');
  process.exitCode = 1;
}
