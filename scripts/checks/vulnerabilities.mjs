// Asks the registry for known vulnerabilities of what is locked and runs in production. A registry that keeps no list of them is named
// loudly: then nothing was checked, and nothing claims to have been.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Below these a report is printed and the check passes. */
const GRAVE = ['critical', 'high'];

/**
 * @param {string} answer what `npm audit --json` printed
 * @returns {{ kind: 'fine' | 'unanswered', text: string } | { kind: 'grave', text: string }}
 */
export function judge(answer) {
  const report = parsed(answer);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined)
    return { kind: 'unanswered', text: String(report?.message ?? report?.error?.summary ?? 'no answer') };
  const found = Object.entries(report.vulnerabilities ?? {});
  const lines = found.map(
    ([name, { severity, range, fixAvailable }]) =>
      `${severity}: ${name} ${range}${fixAvailable ? ' (a fix is available)' : ''}`,
  );
  const isGrave = found.some(([, { severity }]) => GRAVE.includes(severity));
  return { kind: isGrave ? 'grave' : 'fine', text: lines.join('\n') || 'No known vulnerabilities.' };
}

function parsed(answer) {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}

function main() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  const { kind, text } = judge(stdout ?? '');
  if (kind === 'unanswered') {
    process.stdout.write(
      `!!! NOT CHECKED for known vulnerabilities: the registry does not answer (${text}).\n`,
    );
    return;
  }
  process.stdout.write(`${text}\n`);
  if (kind === 'grave') process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
