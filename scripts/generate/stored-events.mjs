// Adds the events that are new, or new in a version, to the examples of all that was ever written, and the streams of new deciders to
// the names of all; upcasters.spec.ts and decider.spec.ts read them.
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
keep('stored-events.json', (stored) => storedWith(stored, examples, domain.currentSchemaVersion));
keep('stored-streams.json', (stored) => namesWith(stored, streamNamesIn(domain)));

function keep(name, grown) {
  const file = join(source, 'testing', name);
  const stored = grown(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  writeFileSync(file, JSON.stringify(stored, null, 2));
  execFileSync(join(import.meta.dirname, '../../node_modules/.bin/oxfmt'), [file]);
}
