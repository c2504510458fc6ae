// Makes the pictures of the documents: those that a document names, as WebP, from what `npm run screenshots` and `npm run walk-through` took.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import sharp from 'sharp';

const TAKEN = 'screenshots';
const KEPT = 'docs/screenshots';
const MAX_WIDTH = 1440;
const MAX_BYTES = 3 * 1024 * 1024;
const MAX_PICTURES = 30;

const documents = [
  'README.md',
  ...(await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
];
const named = new Set();
for (const document of documents)
  for (const [, name] of (await readFile(document, 'utf8')).matchAll(/screenshots\/([\w-]+\.webp)/g))
    named.add(name);
const kept = new Set(await readdir(KEPT));

if (process.argv.includes('--check')) {
  const problems = [
    ...[...named]
      .filter((name) => !kept.has(name))
      .map((name) => `${name} is named in a document and not there.`),
    ...[...kept]
      .filter((name) => !named.has(name))
      .map((name) => `${name} is in no document: explain it there, or remove it.`),
  ];
  if (kept.size > MAX_PICTURES) problems.push(`There are ${kept.size} pictures, and may be ${MAX_PICTURES}.`);
  let bytes = 0;
  for (const name of kept) bytes += (await stat(join(KEPT, name))).size;
  if (bytes > MAX_BYTES)
    problems.push(`Together they have ${Math.ceil(bytes / 1024)} KB, and may have ${MAX_BYTES / 1024}.`);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
} else {
  const taken = new Set(await readdir(TAKEN).catch(() => []));
  for (const name of named) {
    const source = `${basename(name, '.webp')}.png`;
    if (!taken.has(source)) continue;
    await sharp(join(TAKEN, source))
      .resize({ width: MAX_WIDTH, withoutEnlargement: true })
      .webp({ quality: 82 })
      .toFile(join(KEPT, name));
    process.stdout.write(`${name}\n`);
  }
}
