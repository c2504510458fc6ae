// Fails on breaking changes to the published schema that docs/api/changes.md does not announce. --publish makes the current schema the
// published one and dates the announcements.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { compareSchemas } from './breaking-changes.mjs';

const CURRENT = 'apps/api/schema.graphql';
const PUBLISHED = 'docs/api/published.graphql';
const CHANGES = 'docs/api/changes.md';
const UNPUBLISHED = '## Not published yet\n';

const [current, published, changes] = [CURRENT, PUBLISHED, CHANGES].map((file) => readFileSync(file, 'utf8'));

if (process.argv.includes('--publish')) {
  const [head, rest] = changes.split(UNPUBLISHED);
  const [unpublished, ...earlier] = rest.split(/(?=^## )/m);
  const today = new Date().toISOString().slice(0, 10);
  const moved = unpublished.trim() === '' ? [] : [`## ${today}\n\n${unpublished.trim()}\n`];
  writeFileSync(PUBLISHED, current);
  writeFileSync(CHANGES, [`${head}${UNPUBLISHED}`, ...moved, ...earlier].join('\n'));
} else {
  const [, unpublished = ''] = changes.split(UNPUBLISHED);
  const { unannounced, dangerous, obsolete } = compareSchemas(
    published,
    current,
    unpublished.split(/^## /m)[0],
  );
  for (const change of dangerous) process.stdout.write(`Potentially breaking: ${change}\n`);
  for (const change of obsolete)
    process.stdout.write(`${CHANGES} announces a change that was not made: ${change}\n`);
  for (const change of unannounced)
    process.stdout.write(
      `Breaking change to the published schema: ${change}\n  Undo it, or add to ${CHANGES}: - ${new Date().toISOString().slice(0, 10)} · \`${change}\` · reason and replacement\n`,
    );
  process.exitCode = unannounced.length + obsolete.length > 0 ? 1 : 0;
}
