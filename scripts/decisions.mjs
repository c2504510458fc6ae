// Writes the index of decisions from their headings; with --check it fails where docs/decisions/README.md does not match.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { reportDrift } from './drift.mjs';

const FOLDER = 'docs/decisions';
const INDEX = join(FOLDER, 'README.md');

const INTRODUCTION = `# Decisions

One file a decision: context, choice, why not the others. Numbers are never reused, and some were never used; a decision that is replaced says by which.
This index is made by \`npm run decisions\`.

| No. | Decision | Replaced |
| ---: | --- | --- |
`;

const rows = [];
const problems = [];
for (const name of (await readdir(FOLDER)).filter((file) => file !== 'README.md').sort()) {
  const text = await readFile(join(FOLDER, name), 'utf8');
  const heading = /^# (\d{3})\s*[:.·]?\s*(.+)$/m.exec(text);
  if (!heading || !name.startsWith(`${heading[1]}-`)) {
    problems.push(`${name} does not begin with “# NNN Title” of its own number.`);
    continue;
  }
  const replaced = /^(?:\*\*)?(?:Status: )?(?:Replaced|Superseded) (?:in part )?by \[?(\d{3})/im.exec(text);
  rows.push(`| ${heading[1]} | [${heading[2]}](${name}) | ${replaced ? `by ${replaced[1]}` : ''} |`);
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else {
  const index = `${INTRODUCTION}${rows.join('\n')}\n`;
  if (process.argv.includes('--check')) await reportDrift(INDEX, index, 'npm run decisions');
  else await writeFile(INDEX, index);
}
