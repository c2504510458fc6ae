// The two programs that tests need and npm does not bring: a browser and Redis. Found, else installed, else said loudly.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
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
