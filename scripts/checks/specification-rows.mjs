// What docs/specification-coverage.md says, and the mutations that stand in docs/specification-mutations/: small changes that break a row,
// each with the test that has to fail for it. `scripts/checks/mutations.mjs` makes them, `scripts/checks/coverage.mjs` checks that they still fit.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const DOCUMENT = 'docs/specification-coverage.md';
export const MUTATIONS = 'docs/specification-mutations';
export const NOT_YET = join(MUTATIONS, 'not-proven-yet.json');
const CELLS = /(?<!\\)\|/;

export const trackedFiles = () => spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.split('\n');

/** Rows of the document: `says` names a row, in the tables and in the mutations. */
export function readRows() {
  const rows = [];
  for (const [index, line] of readFileSync(DOCUMENT, 'utf8').split('\n').entries()) {
    const [says, where, shown] = line.split(CELLS).slice(1, -1);
    if (shown === undefined || /^\s*(-+|the specification says)\s*$/.test(says)) continue;
    const tests = [...shown.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file, title]) => ({ file, title }));
    const texts = [...says.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
    rows.push({ line: index + 1, says: says.trim(), where: where.trim(), tests, texts });
  }
  return rows;
}

/** Of each file of mutations its path and entries: `row` or `text`, `test`, `file`, `find`, `occurrence`, `replace`, and `proven` once it was. */
export const readMutations = () =>
  readdirSync(MUTATIONS)
    .filter((name) => name.endsWith('.json') && join(MUTATIONS, name) !== NOT_YET)
    .sort()
    .map((name) => join(MUTATIONS, name))
    .map((path) => ({ path, entries: JSON.parse(readFileSync(path, 'utf8')) }));

/** The rows and texts all of whose mutations were seen to fail their tests, each with the last of these results. */
export function provenNames() {
  const results = new Map();
  for (const { entries } of readMutations())
    for (const entry of entries)
      results.set(nameOf(entry), [...(results.get(nameOf(entry)) ?? []), entry.proven]);
  const proven = [...results].filter(([, all]) => all.every((result) => result !== undefined));
  return new Map(
    proven.map(([name, all]) => [
      name,
      all.reduce((last, result) => (result.date > last.date ? result : last)),
    ]),
  );
}

/** The document with the last column as the results say it: the day and the commit, or that nobody has seen it yet. */
export function documentWithProofs() {
  const proven = provenNames();
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  return lines
    .map((line) => {
      const [says, where, shown] = line.split(CELLS).slice(1, -1);
      if (shown === undefined) return line;
      const result = proven.get(says.trim());
      return `|${[says, where, shown, cellOf(says, result)].join('|')}|`;
    })
    .join('\n');
}

function cellOf(says, result) {
  if (/^\s*-+\s*$/.test(says)) return ' --- ';
  if (says.trim() === 'the specification says') return ' proven ';
  return result === undefined ? ' not yet ' : ` ${result.date}, ${result.commit} `;
}

export const readNotYet = () => JSON.parse(readFileSync(NOT_YET, 'utf8'));

export const nameOf = ({ row, text }) => row ?? `“${text}”`;

/** A source with the mutation in it, or what prevents it. */
export function mutated(source, { file, find, occurrence, replace }) {
  const parts = source.split(find);
  const hits = parts.length - 1;
  if (hits === 0) return { problem: `${file} has no “${find}”` };
  if (hits > 1 && occurrence === undefined) return { problem: `${file} has “${find}” ${hits} times` };
  if (occurrence !== undefined && occurrence > hits)
    return { problem: `${file} has “${find}” fewer than ${occurrence} times` };
  if (find === replace) return { problem: 'changes nothing' };
  const at = parts.slice(0, occurrence ?? 1).join(find).length;
  return { source: source.slice(0, at) + replace + source.slice(at + find.length) };
}

/** What keeps a mutation from being made in the tree. */
export const misfit = (mutation) =>
  existsSync(mutation.file)
    ? mutated(readFileSync(mutation.file, 'utf8'), mutation).problem
    : `${mutation.file} is not there`;

/** Paths of the spec that a mutation names: a name without a folder may be that of several. */
export function specOf({ test }, files) {
  const [name, title] = test.split(' › ');
  const paths = files.filter((path) => (name.includes('/') ? path === name : basename(path) === name));
  const holding = paths.filter((path) => withoutEscapes(readFileSync(path, 'utf8')).includes(title));
  return { title, path: holding[0] };
}

export const withoutEscapes = (text) => text.replace(/\\(['"`])/g, '$1');

/** The lines of a test, from its `it` to the next one: what else is in its file says nothing about it. */
function testIn(path, title) {
  const lines = withoutEscapes(readFileSync(path, 'utf8')).split('\n');
  const isBeginning = (line) => /^\s*(?:it|describe)\b/.test(line);
  const named = lines.findIndex((line) => line.includes(title));
  const first = lines.findLastIndex((line, index) => index <= named && isBeginning(line));
  const next = lines.findIndex((line, index) => index > named && isBeginning(line));
  return lines.slice(Math.max(first, 0), next === -1 ? undefined : next).join('\n');
}

/** What a result rests on: another mutation, another source or another test makes it stale. */
export function fingerprint(mutation, { path, title }, folder = '.') {
  const hash = createHash('sha256');
  const { test, file, find, occurrence = 1, replace } = mutation;
  for (const part of [test, file, find, String(occurrence), replace]) hash.update(part).update('\0');
  if (existsSync(join(folder, file))) hash.update(readFileSync(join(folder, file)));
  return hash
    .update(testIn(join(folder, path), title))
    .digest('hex')
    .slice(0, 12);
}
