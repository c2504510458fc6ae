// The programs that tests need and npm does not bring: a browser, Redis and promtool. Found, else installed, else said loudly.
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
    (await unpackedChromium());
  if (path === undefined)
    return missing('No Chromium was found or could be installed: the browser journeys cannot run.');
  process.env.NIMO_CHROMIUM = path;
  return { code: 0, output: path };
}

/** Sets NIMO_REDIS_SERVER for the suites that follow. */
export async function ensureRedis() {
  const names = ['redis-server', 'valkey-server'];
  const path = process.env.NIMO_REDIS_SERVER ?? findProgram(names) ?? installWithApt('redis-server', names);
  if (path === undefined)
    return missing('No redis-server was found or could be installed: what runs on Redis stays untested.');
  process.env.NIMO_REDIS_SERVER = path;
  return { code: 0, output: path };
}

const UNPACKED = resolve('node_modules/.cache/nimo/prometheus');

/**
 * Tries the rules for Prometheus. The product does not need it, so that where it cannot be had the rules stay untried, which is said.
 * Taken out of its package and not installed: the package would start a server.
 */
export function ensurePromtool() {
  const unpacked = join(UNPACKED, 'usr/bin/promtool');
  const path =
    process.env.NIMO_PROMTOOL ??
    findProgram(['promtool']) ??
    (existsSync(unpacked) ? unpacked : unpackedWithApt('prometheus', unpacked));
  return path === undefined
    ? missing('No promtool was found or could be fetched: the rules in deploy/prometheus stay untried.')
    : { code: 0, output: path, path };
}

function unpackedWithApt(name, program) {
  if (findProgram(['apt-get']) === undefined || findProgram(['dpkg-deb']) === undefined) return undefined;
  mkdirSync(UNPACKED, { recursive: true });
  const run = (command, ...parameters) =>
    spawnSync(command, parameters, { cwd: UNPACKED, stdio: 'ignore', timeout: 120_000 }).status === 0;
  const fetched = () => run('apt-get', 'download', '-q', name);
  // The list of packages may be old, or not there yet.
  if (!fetched() && !(process.getuid?.() === 0 && run('apt-get', 'update', '-q') && fetched()))
    return undefined;
  const file = readdirSync(UNPACKED).find((each) => each.endsWith('.deb'));
  if (file === undefined || !run('dpkg-deb', '-x', file, UNPACKED)) return undefined;
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

/** The build for AWS Lambda, which brings the libraries that a bare system lacks when told that it is on one. */
async function unpackedChromium() {
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
