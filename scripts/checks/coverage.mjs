// Whether the documents keep their word: links lead somewhere and named files exist; each row of docs/specification-coverage.md names tests that
// exist and quotes texts of a catalogue. Each row and each text of the table has a mutation that its test was seen to fail for, or stands
// in the list of those that have none yet, which can only become shorter.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import {
  DOCUMENT,
  documentWithProofs,
  fingerprint,
  misfit,
  MUTATIONS,
  nameOf,
  NOT_YET,
  provenNames,
  readMutations,
  readNotYet,
  readRows,
  specOf,
  trackedFiles,
  withoutEscapes,
} from './specification-rows.mjs';

const CATALOGUES = [/^apps\/web\/src\/i18n\/en\//, /^libs\/domain\/src\/messages\.ts$/];

/** How many rows and texts nobody has seen a test fail for. Whoever proves one lowers it; nobody raises it. */
const MAX_NOT_YET = 70;

const files = trackedFiles();
const tests = new Map();
for (const path of files.filter((name) => /(spec|contract|journey)\.tsx?$/.test(name)))
  tests.set(basename(path), [...(tests.get(basename(path)) ?? []), path]);

/** As the catalogues write it: escapes resolved, `{{name}}` and `{name}` alike. */
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
  if (row.where === '') report('does not say where');
  for (const text of row.texts)
    if (!catalogue.includes(plain(text))) report(`quotes “${text}”, which no catalogue has`);
  if (row.tests.length === 0) report('has no test');
  for (const { file, title } of row.tests) checkTest(file, title, report);
}

function checkTest(file, title, report) {
  const paths = tests.get(file) ?? [];
  if (paths.length === 0) return report(`names ${file}, which is not there`);
  if (!paths.some((path) => plain(readFileSync(path, 'utf8')).includes(title)))
    report(`names “${title}”, which is not in ${file}`);
}

/** The names of rows and texts, which results are older than what they rest on, and which tests have a mutation. */
function checkMutations() {
  const known = new Map(rows.map((row) => [row.says, row]));
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
      const problem = misfit(mutation);
      if (problem !== undefined) report(problem);
      const spec = specOf(mutation, files);
      if (spec.path === undefined) report(`${mutation.test} is not there`);
      if (mutation.proven === undefined) continue;
      tried.add(mutation.test);
      if (spec.path !== undefined && mutation.proven.of !== fingerprint(mutation, spec)) stale.push(name);
    }
  return { names: [...known.keys(), ...texts], stale, tried };
}

const namedTests = new Set(rows.flatMap((row) => row.tests.map(({ file, title }) => `${file} › ${title}`)));
const { names, stale, tried } = checkMutations();
const proven = provenNames();
const notYet = readNotYet();
for (const name of names)
  if (!proven.has(name) && !notYet.includes(name))
    problems.push(`${name}: no test was seen to fail for it: npm run mutations, see CONTRIBUTING.md`);
for (const name of notYet) {
  if (!names.includes(name)) problems.push(`${NOT_YET} has “${name}”, which no row says`);
  if (proven.has(name)) problems.push(`${NOT_YET} has “${name}”, which is proven`);
}
if (notYet.length > MAX_NOT_YET)
  problems.push(`${NOT_YET} has ${notYet.length} names, ${MAX_NOT_YET} are allowed`);

/** As GitHub names the headings of a document. */
const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** A source file, by its name or the end of its path. */
const SOURCE = /`((?:[\w.-]+\/)*\w[\w.-]*\.(?:tsx?|mjs|graphql|sql))`/g;

/** Links between documents, the sources that documents name, and the documents that sources name. */
function checkLinks(path) {
  const text = readFileSync(path, 'utf8');
  const report = (problem) => problems.push(`${path} ${problem}`);
  // The documents of decisions have names; they had numbers once.
  for (const [citation] of text.matchAll(/\b[Dd]ecisions? \d{3}\b|\bdecisions\/\d{3}/g))
    report(`cites ${citation}`);
  if (!path.endsWith('.md')) {
    for (const [name] of text.matchAll(/\bdocs\/[\w/-]+\.(?:md|json|graphql)\b/g))
      if (!existsSync(name)) report(`names ${name}, which is not there`);
    return;
  }
  // The change log names what was there.
  if (path !== 'CHANGELOG.md')
    for (const [, name] of text.matchAll(SOURCE))
      if (!files.some((file) => file === name || file.endsWith(`/${name}`)))
        report(`names ${name}, which is not there`);
  for (const [, target, anchor] of text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    const file = target === '' ? path : join(dirname(path), target);
    if (!existsSync(file)) report(`leads to ${target}, which is not there`);
    else if (anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor))
      report(`leads to ${target}#${anchor}, which ${file} does not have`);
  }
}
for (const path of files) if (/\.(?:md|[cm]?[jt]sx?)$/.test(path) && existsSync(path)) checkLinks(path);

if (readFileSync(DOCUMENT, 'utf8') !== documentWithProofs())
  problems.push(`${DOCUMENT} says something else than the results: npm run mutations -- --table`);

process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
process.stdout.write(
  `${rows.length} rows, ${problems.length} problems; ${proven.size} of ${names.length} rows and texts are proven by ${MUTATIONS}, ` +
    `${notYet.length} not yet; ${tried.size} of ${namedTests.size} named tests have a mutation that fails them; ${stale.length} results are older than their source or test (npm run mutations -- --changed)\n`,
);
process.exitCode = rows.length > 0 && problems.length === 0 ? 0 : 1;
