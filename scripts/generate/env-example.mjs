// Writes .env.example from the registry of settings; --check only compares.
import '../typescript.mjs';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from './drift.mjs';

const file = '.env.example';
const { envExample } = await import('../../apps/api/src/platform/config/env-example.ts');

if (process.argv.includes('--check')) await reportDrift(file, envExample(), 'npm run env:example');
else await writeFile(file, envExample());
