// Fails where the schema breaks what was published and docs/api/changes.md does not say so. With --publish the schema of now becomes the
// published one, and the announcements move below it.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { compareSchemas } from './breaking-changes.mjs';

const CURRENT = 'apps/api/schema.graphql';
const PUBLISHED = 'docs/api/published.graphql';
const CHANGES = 'docs/api/changes.md';
const COMING = '## Not published yet\n';

const [current, published, changes] = [CURRENT, PUBLISHED, CHANGES].map((file) => readFileSync(file, 'utf8'));

if (process.argv.includes('--publish')) {
  const [head, rest] = changes.split(COMING);
  const [coming, ...former] = rest.split(/(?=^## )/m);
  const today = new Date().toISOString().slice(0, 10);
  const moved = coming.trim() === '' ? [] : [`## ${today}\n\n${coming.trim()}\n`];
  writeFileSync(PUBLISHED, current);
  writeFileSync(CHANGES, [`${head}${COMING}`, ...moved, ...former].join('\n'));
} else {
  const [, coming = ''] = changes.split(COMING);
  const { unannounced, dangerous, obsolete } = compareSchemas(published, current, coming.split(/^## /m)[0]);
  for (const change of dangerous) process.stdout.write(`May surprise a client: ${change}\n`);
  for (const change of obsolete)
    process.stdout.write(`${CHANGES} announces what has not changed: ${change}\n`);
  for (const change of unannounced)
    process.stdout.write(
      `Breaks clients of the published schema: ${change}\n  Undo it, or add to ${CHANGES}: - ${new Date().toISOString().slice(0, 10)} · \`${change}\` · why, and what to use instead\n`,
    );
  process.exitCode = unannounced.length + obsolete.length > 0 ? 1 : 0;
}
