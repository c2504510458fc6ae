// Converts the screenshots named in a document to WebP. `npm run screenshots` and `npm run walk-through` take them.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import sharp from 'sharp';

const SOURCE_FOLDER = 'screenshots';
const TARGET_FOLDER = 'docs/screenshots';
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
const existing = new Set(await readdir(TARGET_FOLDER));

if (process.argv.includes('--check')) {
  const problems = [
    ...[...named]
      .filter((name) => !existing.has(name))
      .map((name) => `${name} is named in a document but does not exist.`),
    ...[...existing]
      .filter((name) => !named.has(name))
      .map((name) => `${name} is not used in any document. Use it or remove it.`),
  ];
  if (existing.size > MAX_PICTURES)
    problems.push(`${existing.size} pictures exceed the limit of ${MAX_PICTURES}.`);
  let bytes = 0;
  for (const name of existing) bytes += (await stat(join(TARGET_FOLDER, name))).size;
  if (bytes > MAX_BYTES)
    problems.push(`${Math.ceil(bytes / 1024)} KB of pictures exceed the limit of ${MAX_BYTES / 1024} KB.`);
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  }
} else {
  const screenshots = new Set(await readdir(SOURCE_FOLDER).catch(() => []));
  for (const name of named) {
    const source = `${basename(name, '.webp')}.png`;
    if (!screenshots.has(source)) continue;
    await sharp(join(SOURCE_FOLDER, source))
      .resize({ width: MAX_WIDTH, withoutEnlargement: true })
      .webp({ quality: 82 })
      .toFile(join(TARGET_FOLDER, name));
    process.stdout.write(`${name}\n`);
  }
}
