// Asks the registry for known vulnerabilities of the locked production packages. Prints a warning if the registry has no audit endpoint, because
// nothing was checked then.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Severities that fail the check. Lower ones are only printed. */
const FAILING = ['critical', 'high'];

/**
 * @param {string} answer output of `npm audit --json`
 * @returns {{ kind: 'fine' | 'unanswered', text: string } | { kind: 'severe', text: string }}
 */
export function assess(answer) {
  const report = parsed(answer);
  const counts = report?.metadata?.vulnerabilities;
  if (counts === undefined)
    return { kind: 'unanswered', text: String(report?.message ?? report?.error?.summary ?? 'no answer') };
  const found = Object.entries(report.vulnerabilities ?? {});
  const lines = found.map(
    ([name, { severity, range, fixAvailable }]) =>
      `${severity}: ${name} ${range}${fixAvailable ? ' (a fix is available)' : ''}`,
  );
  const isSevere = found.some(([, { severity }]) => FAILING.includes(severity));
  return { kind: isSevere ? 'severe' : 'fine', text: lines.join('\n') || 'No known vulnerabilities.' };
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
  const { kind, text } = assess(stdout ?? '');
  if (kind === 'unanswered') {
    process.stdout.write(
      `!!! NOT CHECKED for known vulnerabilities: the registry did not answer (${text}).\n`,
    );
    return;
  }
  process.stdout.write(`${text}\n`);
  if (kind === 'severe') process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
