import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import product from '../../package.json' with { type: 'json' };
import { callModule } from '../../scripts/sent-document.mjs';

const api = process.env['NIMO_API_URL'] ?? 'http://127.0.0.1:3000';

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

const CALL = '.graphql?call';

/** What is asked before the app is loaded goes by its id: neither the text nor what could make one is in the page. */
const calls = (): Plugin => ({
  name: 'nimo-calls',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(CALL)) return null;
    return { code: callModule(await readFile(id.slice(0, -'?call'.length), 'utf8')), moduleType: 'js' };
  },
});

/** Compressed once at build time, by as many processors as there are: the api serves what a browser accepts without compressing anything. */
const precompress = (): Plugin => ({
  name: 'nimo-precompress',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
    const compressed = names.filter((name) => /\.(?:js|css|svg)$/.test(name));
    await Promise.all(compressed.map((name) => compress(join(dir, name))));
    await keepBuilds(dir, names);
    await writeFile(join(dir, 'offline.json'), JSON.stringify(offlineParts(bundle)));
  },
});

/** What is not loaded for the use without a connection before somebody has used it: the areas of staff, and the other languages. */
const NOT_AHEAD = /\/app\/area-routes|\/features\/areas\/|\/i18n\/(?!en\/)|staff-catalogue/;

/** For the service worker: the parts that it fetches ahead, and all that this build has. */
function offlineParts(bundle: Rolldown.OutputBundle): { keep: string[]; all: string[] } {
  const ahead = new Set<string>();
  const follow = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || ahead.has(name) || NOT_AHEAD.test(chunk.facadeModuleId ?? '')) return;
    ahead.add(name);
    for (const css of chunk.viteMetadata?.importedCss ?? []) ahead.add(css);
    [...chunk.imports, ...chunk.dynamicImports].forEach(follow);
  };
  for (const [name, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.isEntry) follow(name);
  const all = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
  return { keep: [...ahead].map((name) => `/${name}`), all: all.map((name) => `/${name}`) };
}

/** How many builds' parts are served: pages that are open over a deploy still find theirs. */
const BUILDS_KEPT = 3;

/** Drops what only older builds had. Which build had what is noted in a hidden file, which is not served. */
async function keepBuilds(dir: string, names: readonly string[]): Promise<void> {
  const note = join(dir, '.builds.json');
  const known = await readFile(note, 'utf8').then(
    (text) => JSON.parse(text) as string[][],
    () => [],
  );
  const same = JSON.stringify([...names].sort());
  const builds = [[...names].sort(), ...known.filter((build) => JSON.stringify(build) !== same)].slice(
    0,
    BUILDS_KEPT,
  );
  const kept = new Set(builds.flat().flatMap((name) => [name, `${name}.gz`, `${name}.br`]));
  for (const name of await readdir(join(dir, 'assets')))
    if (!kept.has(`assets/${name}`)) await rm(join(dir, 'assets', name));
  await writeFile(note, JSON.stringify(builds));
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [gz, br] = await Promise.all([toGzip(bytes, { level: 9 }), toBrotli(bytes, { params })]);
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
}

/** The app itself, and the screens that are loaded with what they need at one go: every file more is a request more, and a browser sends six at a time. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  first: ['app/main.tsx'],
  login: ['screens/login/login-screen.tsx'],
  space: [
    'app/data-layer.tsx',
    'features/shell/space-layout.tsx',
    'screens/dashboard/dashboard-screen.tsx',
    'i18n/en/catalogue.ts',
  ],
};

const modulesOf = (name: string): ReadonlySet<string> =>
  new Set(PARTS[name]?.map((file) => resolve(import.meta.dirname, 'src', file)));

type Group = Readonly<{ name: string; test: (id: string) => boolean; priority: number }>;

/** One file for each part, by what each screen loads where every file is as small as it can be. What an earlier part has is in no later one. */
function groupsOf(output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Group[] {
  const chunks = output.filter((file) => file.type === 'chunk');
  const withImports = (chunk: Rolldown.OutputChunk, found = new Set<Rolldown.OutputChunk>()) => {
    if (found.has(chunk)) return found;
    found.add(chunk);
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) withImports(other, found);
    return found;
  };
  const names = Object.keys(PARTS);
  const entries = new Set([
    resolve(import.meta.dirname, 'index.html'),
    ...names.flatMap((name) => [...modulesOf(name)]),
  ]);
  return names.map((name, index) => {
    const files = modulesOf(name);
    const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => files.has(id)));
    const modules = new Set(
      own.flatMap((chunk) => [...withImports(chunk)].flatMap(({ moduleIds }) => moduleIds)),
    );
    return { name, test: (id) => modules.has(id) && !entries.has(id), priority: names.length - index };
  });
}

/** For `preload-parts.js`: the files of the parts that are not loaded by the page itself. */
const preloadParts = (): Plugin => ({
  name: 'nimo-preload-parts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const filesOf = (name: string): string => {
        const screens = modulesOf(name);
        const own = chunks.filter(({ facadeModuleId }) => screens.has(facadeModuleId ?? ''));
        const shared = chunks.filter(
          (chunk) =>
            chunk.name !== 'first' &&
            chunk.name in PARTS &&
            own.some(({ imports }) => imports.includes(chunk.fileName)),
        );
        const parts = [...shared, ...own];
        const styles = parts.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
        return [...parts.map(({ fileName }) => fileName), ...styles].map((file) => `/${file}`).join(' ');
      };
      const attrs = { src: '/preload-parts.js', async: true };
      const files = { 'data-login': filesOf('login'), 'data-space': filesOf('space') };
      return [{ tag: 'script', attrs: { ...attrs, ...files }, injectTo: 'head-prepend' }];
    },
  },
});

const configOf = (groups: Group[]) => ({
  root: import.meta.dirname,
  plugins: [calls(), react(), preloadParts(), precompress()],
  define: { __NIMO_VERSION__: JSON.stringify(product.version) },
  build: {
    manifest: true,
    outDir: resolve(import.meta.dirname, '../../dist/web'),
    // What earlier builds had is dropped by `keepBuilds`.
    emptyOutDir: false,
    // light-dark() and relative colours must reach the browser as written.
    target: ['chrome123', 'edge123', 'firefox128', 'safari18'],
    // A data: address for a font or a picture would need a hole in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Each part has all that its modules use: nothing else is to come along.
      output: { codeSplitting: { groups, includeDependenciesRecursively: false } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/health': api,
      '/graphql': { target: api, ws: true },
      '/media': api,
      '/avatars': api,
      '/upload': api,
      '/dev/outbox': api,
    },
  },
});

export default defineConfig(async ({ command }) => {
  const plain = configOf([]);
  if (command !== 'build') return plain;
  const looked = await build({
    ...plain,
    configFile: false,
    logLevel: 'silent',
    build: { ...plain.build, write: false, minify: false },
  });
  if (Array.isArray(looked) || !('output' in looked)) throw new TypeError('one build gives one output');
  return configOf(groupsOf(looked.output));
});
