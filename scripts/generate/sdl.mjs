// Writes apps/api/schema.graphql from the resolvers; --check only compares. Needs no database.
import '../typescript.mjs';
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { reportDrift } from './drift.mjs';

const file = 'apps/api/schema.graphql';
const { apiSchema } = await import('../../apps/api/api-schema.ts');
const sdl = await apiSchema();

if (process.argv.includes('--check')) await reportDrift(file, sdl, 'npm run sdl');
else await writeFile(file, sdl);
