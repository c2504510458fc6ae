// Adds new event types and versions to the examples of everything ever stored, and the streams of new deciders to the list of stream names.
// upcasters.spec.ts and decider.spec.ts read both.
import '../typescript.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../libs/domain/src');
const domain = await import(join(source, 'index.ts'));
const { namesWith, storedWith, streamNamesIn } = await import(join(source, 'testing/stored-events.ts'));

const examples = Object.fromEntries(
  Object.entries(domain.VOCABULARY).map(([type, { example }]) => [type, example]),
);
extend('stored-events.json', (stored) => storedWith(stored, examples, domain.currentSchemaVersion));
extend('stored-streams.json', (stored) => namesWith(stored, streamNamesIn(domain)));

function extend(name, grown) {
  const file = join(source, 'testing', name);
  const stored = grown(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  writeFileSync(file, JSON.stringify(stored, null, 2));
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/oxfmt'), [file]);
}
