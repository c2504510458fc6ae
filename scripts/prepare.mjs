// Installs and builds what the product needs to run. No dependencies: this runs before they are installed.
import { spawn, spawnSync } from 'node:child_process';
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

const MIN_NODE = [20, 19];
const INSTALL_STAMP = 'node_modules/.nimo-lock';

const BUILDS = [
  {
    part: 'api',
    name: 'the API',
    sources: [
      'apps/api/src',
      'libs',
      'apps/api/tsconfig.app.json',
      'tsconfig.json',
      'scripts/build-api.mjs',
      'nest-cli.json',
      'package-lock.json',
    ],
    command: ['scripts/build-api.mjs'],
    result: 'dist/apps/api/src/start.js',
    stamp: 'dist/.api-sources',
  },
  {
    part: 'web',
    name: 'the web app',
    sources: ['apps/web', 'package-lock.json'],
    command: ['node_modules/vite/bin/vite.js', 'build', 'apps/web'],
    result: 'dist/web/index.html',
    stamp: 'dist/.web-sources',
  },
  {
    part: 'tests',
    name: 'the test programs',
    sources: ['apps/api/src', 'libs', 'test', 'scripts/build-api.mjs', 'nest-cli.json', 'package-lock.json'],
    command: ['scripts/build-api.mjs', 'tests'],
    result: 'dist/test/projection-worker.js',
    stamp: 'dist/.tests-sources',
  },
];

export function nodeVersionProblem(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isEnough ? undefined : `Nimo needs Node ${MIN_NODE.join('.')} or later; this is ${version}.`;
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

/** Compares with npm's record of installed packages, so that a manual install is not repeated. */
function isInstalled() {
  const hidden = 'node_modules/.package-lock.json';
  if (!existsSync(hidden)) return false;
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  return Object.entries(locked).every(
    ([path, { version, optional, link }]) =>
      path === '' ||
      link ||
      (installed[path] === undefined ? optional === true : installed[path].version === version),
  );
}

/** Builds in parallel: each build leaves a core idle part of the time. */
export async function buildIfChanged(parts = ['api', 'web']) {
  const builds = BUILDS.filter(({ part }) => parts.includes(part));
  const results = await Promise.allSettled(builds.map(buildOneIfChanged));
  for (const { status, reason } of results) if (status === 'rejected') throw reason;
}

async function buildOneIfChanged({ name, sources, command, result, stamp }) {
  if (!sources.some(existsSync)) return;
  const state = fingerprint(sources);
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  requireWritable();
  process.stdout.write(`Building ${name} …\n`);
  rmSync(stamp, { force: true });
  await runAsync(process.execPath, command, `Building ${name} failed`);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, state);
}

/** Hash of names, sizes and modification times of all source files except specs. A thousand files take about 10 ms. */
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
    throw new Error(`${process.cwd()} is not writable, but Nimo still has to be installed or built there.`);
  }
}

function run(command, parameters, failure) {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined) throw new Error(`${failure}: ${error.message}`);
  if (status !== 0) throw new Error(`${failure}; see the output above.`);
}

function runAsync(command, parameters, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => reject(new Error(`${failure}: ${error.message}`)));
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${failure}; see the output above.`));
    });
  });
}
