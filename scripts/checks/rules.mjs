// Checks and tests the rules in deploy/prometheus with promtool. Prints a warning if promtool is missing.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ensurePromtool } from '../test-prerequisites.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const { path, output } = ensurePromtool();
if (path === undefined) process.stdout.write(`${output}\n`);
else {
  for (const parameters of [
    ['check', 'rules', 'deploy/prometheus/rules.yml'],
    ['test', 'rules', 'deploy/prometheus/rules.test.yml'],
  ]) {
    const { status, error, stdout, stderr } = spawnSync(path, parameters, { encoding: 'utf8' });
    if (status === 0) continue;
    process.stdout.write(`promtool ${parameters.join(' ')}\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}\n`);
    process.exitCode = 1;
  }
  if (process.exitCode === undefined) process.stdout.write(`promtool passed the rules (${path})\n`);
}
