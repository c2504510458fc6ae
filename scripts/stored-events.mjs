// Adds the events that are new, or new in a version, to the examples of all that was ever written; upcasters.spec.ts reads them.
import './typescript.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';

const domain = join(import.meta.dirname, '../libs/domain/src');
const file = join(domain, 'testing/stored-events.json');
const { EVENT_EXAMPLES } = await import(join(domain, 'testing/event-examples.ts'));
const { storedWith } = await import(join(domain, 'testing/stored-events.ts'));
const { currentSchemaVersion } = await import(join(domain, 'upcasters.ts'));

const stored = storedWith(JSON.parse(readFileSync(file, 'utf8')), EVENT_EXAMPLES, currentSchemaVersion);
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(JSON.stringify(stored, null, 2), { ...options, filepath: file }));
