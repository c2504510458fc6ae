// Starts Jest for `npm run jest`. Moves spec paths in front of --selectProjects, which would otherwise read them as project names and run all
// specs of the project.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';

const parameters = process.argv.slice(2);
const option = parameters.indexOf('--selectProjects');
let after = option + 1;
while (option !== -1 && after < parameters.length && isProject(parameters[after])) after += 1;
const paths = option === -1 ? [] : pathsFrom(after);
const rest =
  option === -1 ? parameters : [...parameters.slice(0, after), ...parameters.slice(after + paths.length)];

function isProject(parameter) {
  return (
    !parameter.startsWith('-') &&
    !parameter.includes('/') &&
    !parameter.includes('.') &&
    !existsSync(parameter)
  );
}

function pathsFrom(start) {
  const end = parameters.findIndex((parameter, index) => index >= start && parameter.startsWith('-'));
  return parameters.slice(start, end === -1 ? parameters.length : end);
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
// Ctrl-C reaches both processes; other signals must be passed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => undefined);
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
