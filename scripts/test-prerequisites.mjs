// Programs that tests need but npm does not install: a browser, Redis and promtool. Found or installed, otherwise reported as missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_BROWSERS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Sets NIMO_CHROMIUM for the suites that follow. */
export async function ensureChromium() {
  const path =
    process.env.NIMO_CHROMIUM ??
    findProgram(BROWSERS) ??
    MAC_BROWSERS.find(existsSync) ??
    installWithApt('chromium', BROWSERS) ??
    (await unpackChromium());
  if (path === undefined)
    return missing('Chromium was not found and could not be installed: the browser journeys cannot run.');
  process.env.NIMO_CHROMIUM = path;
  return { code: 0, output: path };
}

/** Sets NIMO_REDIS_SERVER for the suites that follow. */
export async function ensureRedis() {
  const names = ['redis-server', 'valkey-server'];
  const path = process.env.NIMO_REDIS_SERVER ?? findProgram(names) ?? installWithApt('redis-server', names);
  if (path === undefined)
    return missing(
      'redis-server was not found and could not be installed: code that uses Redis is not tested.',
    );
  process.env.NIMO_REDIS_SERVER = path;
  return { code: 0, output: path };
}

const UNPACK_FOLDER = resolve('node_modules/.cache/nimo/prometheus');

/**
 * Finds promtool, which tests the Prometheus rules. Without it the check prints a warning. Unpacked instead of installed, because installing the
 * package would start a server.
 */
export function ensurePromtool() {
  const unpacked = join(UNPACK_FOLDER, 'usr/bin/promtool');
  const path =
    process.env.NIMO_PROMTOOL ??
    findProgram(['promtool']) ??
    (existsSync(unpacked) ? unpacked : unpackWithApt('prometheus', unpacked));
  return path === undefined
    ? missing(
        'promtool was not found and could not be downloaded: the rules in deploy/prometheus are not tested.',
      )
    : { code: 0, output: path, path };
}

function unpackWithApt(name, program) {
  if (findProgram(['apt-get']) === undefined || findProgram(['dpkg-deb']) === undefined) return undefined;
  mkdirSync(UNPACK_FOLDER, { recursive: true });
  const run = (command, ...parameters) =>
    spawnSync(command, parameters, { cwd: UNPACK_FOLDER, stdio: 'ignore', timeout: 120_000 }).status === 0;
  const download = () => run('apt-get', 'download', '-q', name);
  // The package list may be missing or outdated.
  if (!download() && !(process.getuid?.() === 0 && run('apt-get', 'update', '-q') && download()))
    return undefined;
  const file = readdirSync(UNPACK_FOLDER).find((each) => each.endsWith('.deb'));
  if (file === undefined || !run('dpkg-deb', '-x', file, UNPACK_FOLDER)) return undefined;
  return existsSync(program) ? program : undefined;
}

function missing(text) {
  return { code: 1, output: `${'!'.repeat(text.length)}\n${text}\n${'!'.repeat(text.length)}` };
}

function findProgram(names) {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function installWithApt(name, programs) {
  if (process.getuid?.() !== 0 || findProgram(['apt-get']) === undefined) return undefined;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...parameters) =>
    spawnSync('apt-get', parameters, { stdio: 'ignore', env: environment, timeout: 300_000 });
  apt('update', '-q');
  apt('install', '-q', '-y', '--no-install-recommends', name);
  return findProgram(programs);
}

/** Chromium built for AWS Lambda. AWS_EXECUTION_ENV makes it unpack the libraries that a bare system lacks. */
async function unpackChromium() {
  if (process.platform !== 'linux') return undefined;
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  process.env.TMPDIR ??= tmpdir();
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    return await chromium.executablePath();
  } catch {
    return undefined;
  }
}
