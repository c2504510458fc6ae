// Selects the specs for `npm test -- --changed`: a guess from feature folders and imports. Only `npm test` is complete.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Folders that contain features but are not features. */
const LAYERS = new Set(['features', 'platform', 'testing']);
const PROJECTS = [
  ['integration', /^(libs|apps\/api|test)\/.*\.int-spec\.ts$/],
  ['api', /^(apps\/api|test)\/.*\.e2e-spec\.ts$/],
];

/**
 * Selects Jest suites for the changes since a commit, including uncommitted and new files.
 * @param {string} commit
 * @returns {Map<string, string[]>} Jest arguments by suite; empty to run the whole suite
 */
export function suitesOfChanges(commit) {
  const changed = [
    ...git('diff', '--name-only', '--no-renames', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const suites = new Map();
  const web = changed.filter((path) => /^apps\/web\/.*\.(tsx?|json|graphql)$/.test(path) && existsSync(path));
  if (web.length > 0) suites.set('web', ['--findRelatedTests', ...web]);
  const server = changed.filter((path) => /^(libs|apps\/api|test)\/.*\.ts$/.test(path));
  if (server.length === 0) return suites;
  suites.set('unit', []);
  const sources = server.filter((path) => !path.endsWith('spec.ts'));
  const features = new Set(sources.map(featureOf));
  features.delete(undefined);
  const modules = new Set(sources.map((path) => basename(path, '.ts')));
  const isRelated = (spec) =>
    server.includes(spec) || features.has(featureOf(spec)) || imports(spec, modules);
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) =>
    existsSync(path),
  );
  for (const [project, isSpec] of PROJECTS) {
    const specs = files.filter((path) => isSpec.test(path) && isRelated(path));
    if (specs.length > 0) suites.set(project, ['--runTestsByPath', ...specs]);
  }
  return suites;
}

/** The first folder below the layers; undefined for files of a whole package. */
const featureOf = (path) =>
  dirname(path)
    .split('/')
    .find((name, depth) => depth > 2 && !LAYERS.has(name));

function imports(spec, modules) {
  const sources = readFileSync(spec, 'utf8').matchAll(/from '\.[^']*\/([^/']+)\.js'/g);
  return Array.from(sources).some(([, name]) => modules.has(name));
}

function git(...parameters) {
  const { status, stdout, stderr } = spawnSync('git', parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}
