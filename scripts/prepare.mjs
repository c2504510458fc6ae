// What has to be there before the product can run. No dependencies: this runs before they are installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const LEAST_NODE = [20, 19];
const INSTALL_STAMP = 'node_modules/.nimo-lock';

const BUILDS = [
  {
    part: 'api',
    name: 'the api',
    sources: [
      'apps/api/src',
      'libs',
      'apps/api/tsconfig.app.json',
      'tsconfig.json',
      'nest-cli.json',
      'package-lock.json',
    ],
    command: ['node_modules/@nestjs/cli/bin/nest.js', 'build', 'api'],
    clears: ['dist/apps', 'dist/libs'],
    result: 'dist/apps/api/src/start.js',
    stamp: 'dist/.api-sources',
  },
  {
    part: 'web',
    name: 'the web app',
    sources: ['apps/web', 'package-lock.json'],
    command: ['node_modules/vite/bin/vite.js', 'build', 'apps/web'],
    clears: [],
    result: 'dist/web/index.html',
    stamp: 'dist/.web-sources',
  },
];

export function problemOfNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isEnough ? undefined : `Nimo needs Node ${LEAST_NODE.join('.')} or later; this is ${version}.`;
}

export function installIfChanged() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(INSTALL_STAMP) && readFileSync(INSTALL_STAMP, 'utf8') === lock) return;
  if (!isInstalled()) {
    requireWritable();
    process.stdout.write('Installing …\n');
    run('npm', ['ci', '--no-audit', '--no-fund'], 'The packages could not be installed');
  }
  writeFileSync(INSTALL_STAMP, lock);
}

/** npm keeps what it installed in a lock file of its own: packages installed by hand need not be installed again. */
function isInstalled() {
  const hidden = 'node_modules/.package-lock.json';
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const found = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' ||
      link ||
      (found[path] === undefined ? optional === true : found[path].version === version),
  );
}

export function buildIfChanged(parts = ['api', 'web']) {
  for (const { part, name, sources, command, clears, result, stamp } of BUILDS) {
    if (!parts.includes(part)) continue;
    if (!sources.some(existsSync)) continue;
    const state = fingerprint(sources);
    if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) continue;
    requireWritable();
    process.stdout.write(`Building ${name} …\n`);
    for (const folder of clears) rmSync(folder, { recursive: true, force: true });
    run(process.execPath, command, `Building ${name} failed`);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, state);
  }
}

/** Names, sizes and times of all source files; specs do not count. Reading a thousand of them takes some 10 ms. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  const add = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else if (!/spec\.tsx?$/.test(path)) hash.update(`${path}:${found.size}:${found.mtimeMs}\n`);
  };
  sources.forEach(add);
  return hash.digest('hex');
}

function requireWritable() {
  try {
    accessSync('.', constants.W_OK);
  } catch {
    throw new Error(
      `${process.cwd()} cannot be written to, and Nimo still has to be installed or built there.`,
    );
  }
}

function run(command, parameters, failure) {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) throw new Error(`${failure}: ${error.message}`);
  if (status !== 0) throw new Error(`${failure}; the lines above say why.`);
}
