// Whether the documents keep their word: each row of docs/specification-coverage.md names tests that exist and quotes texts of a catalogue;
// each test that docs/security.md names exists.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';

const DOCUMENT = 'docs/specification-coverage.md';
const SECURITY = 'docs/security.md';
const CATALOGUES = [/^apps\/web\/src\/i18n\/en\//, /^libs\/domain\/src\/messages\.ts$/];

const files = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.split('\n');
const tests = new Map();
for (const path of files.filter((name) => /(spec|journey)\.tsx?$/.test(name)))
  tests.set(basename(path), [...(tests.get(basename(path)) ?? []), path]);

/** As the catalogues write it: escapes resolved, `{{name}}` and `{name}` alike. */
const plain = (text) => text.replace(/\\(['"`])/g, '$1').replace(/\{\{\s*(\w+)\s*\}\}/g, '{$1}');
const catalogue = plain(
  files
    .filter((path) => CATALOGUES.some((pattern) => pattern.test(path)))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n'),
);

const problems = [];
let rows = 0;
for (const [index, line] of readFileSync(DOCUMENT, 'utf8').split('\n').entries()) {
  const [says, where, shown] = line.split(/(?<!\\)\|/).slice(1, -1);
  if (shown === undefined || /^\s*(-+|the specification says)\s*$/.test(says)) continue;
  rows += 1;
  const report = (problem) => problems.push(`${DOCUMENT}:${index + 1} ${problem}`);
  if (where.trim() === '') report('does not say where');
  for (const [, text] of says.matchAll(/`([^`]+)`/g))
    if (!catalogue.includes(plain(text))) report(`quotes “${text}”, which no catalogue has`);
  const references = [...shown.matchAll(/`([^`]+?) › ([^`]+)`/g)];
  if (references.length === 0) report('has no test');
  for (const [, file, title] of references) checkTest(file, title, report);
}

function checkTest(file, title, report) {
  const paths = tests.get(file) ?? [];
  if (paths.length === 0) return report(`names ${file}, which is not there`);
  if (!paths.some((path) => plain(readFileSync(path, 'utf8')).includes(title)))
    report(`names “${title}”, which is not in ${file}`);
}

const named = new Set(
  [...readFileSync(SECURITY, 'utf8').matchAll(/`([\w.-]+\.(?:\S*spec|contract|journey)\.tsx?)`/g)].map(
    ([, name]) => name,
  ),
);
for (const name of named)
  if (!files.some((path) => basename(path) === name))
    problems.push(`${SECURITY} names ${name}, which is not there`);
if (named.size === 0) problems.push(`${SECURITY} names no test`);

process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
process.stdout.write(`${rows} rows, ${problems.length} problems\n`);
process.exitCode = rows > 0 && problems.length === 0 ? 0 : 1;
