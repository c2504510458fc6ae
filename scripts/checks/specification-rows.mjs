// Reads docs/specification-coverage.md and docs/specification-mutations/: small changes that break a row, each with the test that must fail.
// `scripts/checks/mutations.mjs` applies them, `scripts/checks/coverage.mjs` checks that they still apply.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const DOCUMENT = 'docs/specification-coverage.md';
export const MUTATIONS = 'docs/specification-mutations';
export const UNPROVEN = join(MUTATIONS, 'not-proven-yet.json');
const CELLS = /(?<!\\)\|/;

export const trackedFiles = () => spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.split('\n');

/** Rows of the document. `requirement` identifies a row, also in the mutations. */
export function readRows() {
  const rows = [];
  for (const [index, line] of readFileSync(DOCUMENT, 'utf8').split('\n').entries()) {
    const [requirement, where, shown] = line.split(CELLS).slice(1, -1);
    if (shown === undefined || /^\s*(-+|the specification says)\s*$/.test(requirement)) continue;
    const tests = [...shown.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file, title]) => ({ file, title }));
    const texts = [...requirement.matchAll(/`([^`]+)`/g)].map(([, text]) => text);
    rows.push({ line: index + 1, requirement: requirement.trim(), where: where.trim(), tests, texts });
  }
  return rows;
}

/** Path and entries of each file of mutations. An entry has `row` or `text`, `test`, `file`, `find`, `occurrence`, `replace` and, if proven, `proven`. */
export const readMutations = () =>
  readdirSync(MUTATIONS)
    .filter((name) => name.endsWith('.json') && join(MUTATIONS, name) !== UNPROVEN)
    .sort()
    .map((name) => join(MUTATIONS, name))
    .map((path) => ({ path, entries: JSON.parse(readFileSync(path, 'utf8')) }));

/** Rows and texts all of whose mutations fail their tests, each with the latest result. */
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

/** Returns the document with the last column filled in from the results: date and commit, or "not yet". */
export function documentWithProofs() {
  const proven = provenNames();
  const lines = readFileSync(DOCUMENT, 'utf8').split('\n');
  return lines
    .map((line) => {
      const [requirement, where, shown] = line.split(CELLS).slice(1, -1);
      if (shown === undefined) return line;
      const result = proven.get(requirement.trim());
      return `|${[requirement, where, shown, cellOf(requirement, result)].join('|')}|`;
    })
    .join('\n');
}

function cellOf(requirement, result) {
  if (/^\s*-+\s*$/.test(requirement)) return ' --- ';
  if (requirement.trim() === 'the specification says') return ' proven ';
  return result === undefined ? ' not yet ' : ` ${result.date}, ${result.commit} `;
}

export const readUnproven = () => JSON.parse(readFileSync(UNPROVEN, 'utf8'));

export const nameOf = ({ row, text }) => row ?? `“${text}”`;

/** Applies a mutation to a source. Returns `problem` if it does not apply. */
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

/** Why a mutation does not apply to the tree; undefined if it does. */
export const mutationProblem = (mutation) =>
  existsSync(mutation.file)
    ? mutated(readFileSync(mutation.file, 'utf8'), mutation).problem
    : `${mutation.file} does not exist`;

/** Finds the spec of a mutation. Several specs may share a name without a folder; the title decides. */
export function specOf({ test }, files) {
  const [name, title] = test.split(' › ');
  const paths = files.filter((path) => (name.includes('/') ? path === name : basename(path) === name));
  const holding = paths.filter((path) => withoutEscapes(readFileSync(path, 'utf8')).includes(title));
  return { title, path: holding[0] };
}

export const withoutEscapes = (text) => text.replace(/\\(['"`])/g, '$1');

/** Source lines of one test, from its `it` to the next. */
function testIn(path, title) {
  const lines = withoutEscapes(readFileSync(path, 'utf8')).split('\n');
  const isStart = (line) => /^\s*(?:it|describe)\b/.test(line);
  const named = lines.findIndex((line) => line.includes(title));
  const first = lines.findLastIndex((line, index) => index <= named && isStart(line));
  const next = lines.findIndex((line, index) => index > named && isStart(line));
  return lines.slice(Math.max(first, 0), next === -1 ? undefined : next).join('\n');
}

/** Hash of mutation, source and test. A result with another fingerprint is stale. */
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
