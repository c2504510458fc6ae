// Jest as `npm run jest` starts it. Its --selectProjects takes every word that follows for a project, paths of specs too, and would then run
// all specs of the project: such words are put in front of it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';

const given = process.argv.slice(2);
const option = given.indexOf('--selectProjects');
let after = option + 1;
while (option !== -1 && after < given.length && isProject(given[after])) after += 1;
const paths = option === -1 ? [] : wordsFrom(after);
const rest = option === -1 ? given : [...given.slice(0, after), ...given.slice(after + paths.length)];

function isProject(word) {
  return !word.startsWith('-') && !word.includes('/') && !word.includes('.') && !existsSync(word);
}

function wordsFrom(start) {
  const end = given.findIndex((word, index) => index >= start && word.startsWith('-'));
  return given.slice(start, end === -1 ? given.length : end);
}

const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    '--import',
    './scripts/typescript.mjs',
    'node_modules/jest/bin/jest.js',
    ...paths,
    ...rest,
  ],
  { stdio: 'inherit' },
);
// Ctrl-C reaches both; whoever ends this one alone means the other.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => undefined);
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
