/** Fails the process if a committed file differs from its generated content. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';

export async function reportDrift(file, expected, command) {
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found === expected) return;
  const foundLines = found.split('\n');
  const expectedLines = expected.split('\n');
  const line = expectedLines.findIndex((text, index) => text !== foundLines[index]);
  const at = line === -1 ? expectedLines.length : line;
  process.stderr.write(
    `${file} is out of date from line ${at + 1} on.\n- ${foundLines[at] ?? '(end)'}\n+ ${expectedLines[at] ?? '(end)'}\nRun ${command} and commit the result.\n`,
  );
  process.exitCode = 1;
}
