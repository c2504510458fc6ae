// Checks the documents: links and named files exist; each row of docs/specification-coverage.md names existing tests and quotes texts from a
// catalogue. Each row and text has a mutation that fails its test, or is on the list of unproven ones, which may only get shorter.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import {
  DOCUMENT,
  documentWithProofs,
  fingerprint,
  mutationProblem,
  MUTATIONS,
  nameOf,
  UNPROVEN,
  provenNames,
  readMutations,
  readUnproven,
  readRows,
  specOf,
  trackedFiles,
  withoutEscapes,
} from './specification-rows.mjs';

const CATALOGUES = [/^apps\/web\/src\/i18n\/en\//, /^libs\/domain\/src\/messages\.ts$/];

/** Maximum number of unproven rows and texts. Lower it whenever you prove one; never raise it. */
const MAX_UNPROVEN = 70;

const files = trackedFiles();
const tests = new Map();
for (const path of files.filter((name) => /(spec|contract|journey)\.tsx?$/.test(name)))
  tests.set(basename(path), [...(tests.get(basename(path)) ?? []), path]);

/** Resolves escapes and turns `{{name}}` into `{name}`. */
const plain = (text) => withoutEscapes(text).replace(/\{\{\s*(\w+)\s*\}\}/g, '{$1}');
const catalogue = plain(
  files
    .filter((path) => CATALOGUES.some((pattern) => pattern.test(path)))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n'),
);

const problems = [];
const rows = readRows();
for (const row of rows) {
  const report = (problem) => problems.push(`${DOCUMENT}:${row.line} ${problem}`);
  if (row.where === '') report('names no place');
  for (const text of row.texts)
    if (!catalogue.includes(plain(text))) report(`quotes “${text}”, which is in no catalogue`);
  if (row.tests.length === 0) report('has no test');
  for (const { file, title } of row.tests) checkTest(file, title, report);
}

function checkTest(file, title, report) {
  const paths = tests.get(file) ?? [];
  if (paths.length === 0) return report(`names ${file}, which does not exist`);
  if (!paths.some((path) => plain(readFileSync(path, 'utf8')).includes(title)))
    report(`names “${title}”, which is not in ${file}`);
}

/** Returns the names of rows and texts, those with outdated results, and the tests with a mutation. */
function checkMutations() {
  const known = new Map(rows.map((row) => [row.requirement, row]));
  const texts = new Set(rows.flatMap((row) => row.texts.map((text) => `“${text}”`)));
  const stale = [];
  const tried = new Set();
  for (const { path, entries } of readMutations())
    for (const mutation of entries) {
      const name = nameOf(mutation);
      const report = (problem) => problems.push(`${path}, ${name}: ${problem}`);
      const row = known.get(name);
      if (row === undefined && !texts.has(name)) report(`${DOCUMENT} has no such row`);
      const isNamed = row?.tests.some(({ file, title }) => mutation.test === `${file} › ${title}`) ?? true;
      if (!isNamed) report(`the row does not name ${mutation.test}`);
      const problem = mutationProblem(mutation);
      if (problem !== undefined) report(problem);
      const spec = specOf(mutation, files);
      if (spec.path === undefined) report(`${mutation.test} does not exist`);
      if (mutation.proven === undefined) continue;
      tried.add(mutation.test);
      if (spec.path !== undefined && mutation.proven.of !== fingerprint(mutation, spec)) stale.push(name);
    }
  return { names: [...known.keys(), ...texts], stale, tried };
}

const namedTests = new Set(rows.flatMap((row) => row.tests.map(({ file, title }) => `${file} › ${title}`)));
const { names, stale, tried } = checkMutations();
const proven = provenNames();
const unproven = readUnproven();
for (const name of names)
  if (!proven.has(name) && !unproven.includes(name))
    problems.push(`${name}: not proven by a failing test. Run npm run mutations (see CONTRIBUTING.md)`);
for (const name of unproven) {
  if (!names.includes(name)) problems.push(`${UNPROVEN} has “${name}”, which is not in ${DOCUMENT}`);
  if (proven.has(name)) problems.push(`${UNPROVEN} has “${name}”, which is proven`);
}
if (unproven.length > MAX_UNPROVEN)
  problems.push(`${UNPROVEN} has ${unproven.length} names, ${MAX_UNPROVEN} are allowed`);

/** Heading anchors as GitHub generates them. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Matches a source file by its name or the end of its path. */
const SOURCE = /`((?:[\w.-]+\/)*\w[\w.-]*\.(?:tsx?|mjs|graphql|sql))`/g;

/** Checks links between documents, source files named in documents, and documents named in source files. */
function checkLinks(path) {
  const text = readFileSync(path, 'utf8');
  const report = (problem) => problems.push(`${path} ${problem}`);
  // Decisions are cited by name. They used to have numbers.
  for (const [citation] of text.matchAll(/\b[Dd]ecisions? \d{3}\b|\bdecisions\/\d{3}/g))
    report(`cites ${citation}`);
  if (!path.endsWith('.md')) {
    for (const [name] of text.matchAll(/\bdocs\/[\w/-]+\.(?:md|json|graphql)\b/g))
      if (!existsSync(name)) report(`names ${name}, which does not exist`);
    return;
  }
  // The changelog may name removed files.
  if (path !== 'CHANGELOG.md')
    for (const [, name] of text.matchAll(SOURCE))
      if (!files.some((file) => file === name || file.endsWith(`/${name}`)))
        report(`names ${name}, which does not exist`);
  for (const [, target, anchor] of text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    const file = target === '' ? path : join(dirname(path), target);
    if (!existsSync(file)) report(`links to ${target}, which does not exist`);
    else if (anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor))
      report(`links to ${target}#${anchor}, which does not exist`);
  }
}
for (const path of files) if (/\.(?:md|[cm]?[jt]sx?)$/.test(path) && existsSync(path)) checkLinks(path);

if (readFileSync(DOCUMENT, 'utf8') !== documentWithProofs())
  problems.push(`${DOCUMENT} does not match the results: run npm run mutations -- --table`);

process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
process.stdout.write(
  `${rows.length} rows, ${problems.length} problems; ${proven.size} of ${names.length} rows and texts proven by ${MUTATIONS}, ` +
    `${unproven.length} unproven; ${tried.size} of ${namedTests.size} named tests have a mutation that fails them; ${stale.length} results are older than their source or test (npm run mutations -- --changed)\n`,
);
process.exitCode = rows.length > 0 && problems.length === 0 ? 0 : 1;
