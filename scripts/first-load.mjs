// What a browser loads before somebody can log in, in every language: compressed JavaScript, by the manifest of the built web app.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 150_000;
/** A browser asks for six at a time over HTTP/1.1; what comes after them waits for one of them. */
const MAX_FILES = 6;

const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/web');
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));

/** The chunks that come with one, itself included. */
function comingWith(chunk, found = new Set()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const imported of manifest[chunk].imports ?? []) comingWith(imported, found);
  return found;
}

const sizes = new Map();
function compressedSize(chunk) {
  if (!sizes.has(chunk))
    sizes.set(chunk, gzipSync(readFileSync(join(built, manifest[chunk].file)), { level: 9 }).length);
  return sizes.get(chunk);
}

const filesOf = (...parts) => new Set(parts.flatMap((part) => [...comingWith(part)]));

function firstLoad(...parts) {
  const chunks = filesOf(...parts);
  return [...chunks].reduce((sum, chunk) => sum + compressedSize(chunk), 0);
}

const page = ['index.html', 'src/screens/login/login-screen.tsx'];
const languages = readdirSync(join(root, 'apps/web/src/i18n'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'en')
  .map(({ name }) => name);

const totals = [
  ['en', firstLoad(...page)],
  ...languages.map((language) => [language, firstLoad(...page, `src/i18n/${language}/first-load.ts`)]),
];
for (const [language, bytes] of totals) {
  const isOver = bytes >= BUDGET_BYTES;
  if (isOver) process.exitCode = 1;
  process.stdout.write(
    `${language}: ${(bytes / 1000).toFixed(1)} kB${isOver ? `, over ${BUDGET_BYTES / 1000} kB` : ''}\n`,
  );
}
const files = filesOf(...page).size;
if (files > MAX_FILES) {
  process.exitCode = 1;
  process.stderr.write(
    `${files} files come before the log-in, over ${MAX_FILES}: see groupsOf of apps/web/vite.config.ts\n`,
  );
}
if (process.exitCode === 1) {
  const chunks = [...comingWith(page[0]), ...comingWith(page[1])].sort(
    (a, b) => compressedSize(b) - compressedSize(a),
  );
  for (const chunk of new Set(chunks)) process.stderr.write(`${compressedSize(chunk)} ${chunk}\n`);
}
