// Checks the compressed JavaScript that a browser loads before the login, per language, and the build as a whole: few files, and no staff
// operations in the files of students.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

const BUDGET_BYTES = 150_000;
/** Each file is one request. */
const MAX_FIRST_FILES = 2;
const MAX_FILES = 30;

const root = join(import.meta.dirname, '../..');
const built = join(root, 'dist/web');
const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8'));

/** Returns a chunk with all its imports. */
function withImports(chunk, found = new Set()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const imported of manifest[chunk].imports ?? []) withImports(imported, found);
  return found;
}

const sizes = new Map();
function compressedSize(chunk) {
  if (!sizes.has(chunk))
    sizes.set(chunk, gzipSync(readFileSync(join(built, manifest[chunk].file)), { level: 9 }).length);
  return sizes.get(chunk);
}

const filesOf = (...parts) => new Set(parts.flatMap((part) => [...withImports(part)]));

function firstLoad(...parts) {
  const chunks = filesOf(...parts);
  return [...chunks].reduce((sum, chunk) => sum + compressedSize(chunk), 0);
}

const page = ['index.html'];
const languages = readdirSync(join(root, 'apps/web/src/i18n'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'en')
  .map(({ name }) => name);

const totals = [
  ['en', firstLoad(...page)],
  ...languages.map((language) => [
    language,
    firstLoad(...page, `src/i18n/${language}/first-load.json`, `src/i18n/${language}/errors.json`),
  ]),
];
for (const [language, bytes] of totals) {
  const isOver = bytes >= BUDGET_BYTES;
  if (isOver) process.exitCode = 1;
  process.stdout.write(
    `${language}: ${(bytes / 1000).toFixed(1)} kB${isOver ? `, over ${BUDGET_BYTES / 1000} kB` : ''}\n`,
  );
}

function fail(reason) {
  process.exitCode = 1;
  process.stderr.write(`${reason}: see PARTS of apps/web/vite.config.ts\n`);
}

const firstFiles = filesOf(...page).size;
if (firstFiles > MAX_FIRST_FILES) fail(`${firstFiles} files load before the login, over ${MAX_FIRST_FILES}`);
const scripts = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) =>
  file.endsWith('.js'),
);
if (scripts.length > MAX_FILES) fail(`the build has ${scripts.length} files, over ${MAX_FILES}`);

const STAFF = /screens\/(?:maintenance|moderation)\/|features\/(?:managed-content|vote-cases)\//;
const source = join(root, 'apps/web/src');
const staffOperations = readdirSync(source, { recursive: true })
  .filter((file) => file.endsWith('.graphql') && STAFF.test(file))
  .flatMap((file) => [
    ...readFileSync(join(source, file), 'utf8').matchAll(/^(?:query|mutation|subscription) (\w+)/gm),
  ])
  .map(([, name]) => name);
for (const file of scripts.filter((script) => !script.startsWith('assets/staff'))) {
  const text = readFileSync(join(built, file), 'utf8');
  const found = staffOperations.filter((name) => new RegExp(`value:["'\`]${name}["'\`]`).test(text));
  if (found.length > 0) fail(`${file} contains staff operations (${found.join(', ')})`);
}

if (process.exitCode === 1)
  for (const chunk of [...withImports('index.html')].sort((a, b) => compressedSize(b) - compressedSize(a)))
    process.stderr.write(`${compressedSize(chunk)} ${chunk}\n`);
