// Finds wording that CONTRIBUTING.md ("Writing") rules out, in the code, the texts and the documents.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const WORDS =
  /\b(?:whoever|whence|anew|thereof|be it|as of then|that there (?:is|are)|of all together|(?:is|are|was|were|be|been) told|tells? of|beside)\b/i;
const OPENINGS = /\/\*\*\s*(?:What|Of|That|Who|Whom)\b/;

/** Lines that quote the specification, sample content of a community, or a user's words. */
const ALLOWED = [];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 1 << 24,
})
  .split('\n')
  .filter(
    (file) =>
      /\.(?:tsx?|mjs|md|graphql)$|\/en(?:\/[\w-]+)?\.json$/.test(file) &&
      file !== 'scripts/checks/english.mjs',
  );

let found = 0;
for (const file of files)
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const match = WORDS.exec(line) ?? OPENINGS.exec(line);
    if (match === null || ALLOWED.some((allowed) => line.includes(allowed))) continue;
    found += 1;
    process.stdout.write(`${file}:${index + 1}: “${match[0]}”\n`);
  }
if (found > 0) {
  process.exitCode = 1;
  process.stdout.write(`${found} lines: see "Writing" in CONTRIBUTING.md\n`);
}
