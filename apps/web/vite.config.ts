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

/** Runs before the first paint; served under a hashed name. */
const HEAD = 'head.js';

const CALL = '.graphql?call';

/** Operations before the login are sent by ID, so the page contains neither their text nor a GraphQL parser. */
const operationCalls = (): Plugin => ({
  name: 'nimo-calls',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(CALL)) return null;
    return { code: callModule(await readFile(id.slice(0, -'?call'.length), 'utf8')), moduleType: 'js' };
  },
});

/** Compresses assets at build time, so that the API never compresses them. */
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

/** Chunks that are cached for offline use only once used: staff areas and other languages. */
const isCachedOnUse = ({ name, facadeModuleId }: Rolldown.OutputChunk): boolean =>
  name.startsWith('staff') || facadeModuleId?.includes('/i18n/') === true;

/** For the service worker: the files to precache, and all files of this build. */
function offlineParts(bundle: Rolldown.OutputBundle): { keep: string[]; all: string[] } {
  const precached = new Set<string>();
  const follow = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || precached.has(name) || isCachedOnUse(chunk)) return;
    precached.add(name);
    for (const css of chunk.viteMetadata?.importedCss ?? []) precached.add(css);
    [...chunk.imports, ...chunk.dynamicImports].forEach(follow);
  };
  for (const [name, file] of Object.entries(bundle))
    if (file.type === 'asset' && file.names.includes(HEAD)) precached.add(name);
    else if (file.type === 'chunk' && file.isEntry) follow(name);
  const all = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
  return { keep: [...precached].map((name) => `/${name}`), all: all.map((name) => `/${name}`) };
}

/** Number of builds whose files are served, so that pages open during a deployment still find theirs. */
const BUILDS_KEPT = 3;

/** Deletes files that only older builds had. The file lists of the builds are in a hidden file, which is not served. */
async function keepBuilds(dir: string, names: readonly string[]): Promise<void> {
  const listFile = join(dir, '.builds.json');
  const known = await readFile(listFile, 'utf8').then(
    (text) => JSON.parse(text) as string[][],
    () => [],
  );
  const current = [...names].sort();
  const older = known.filter((build) => JSON.stringify(build) !== JSON.stringify(current));
  const builds = [current, ...older].slice(0, BUILDS_KEPT);
  const kept = new Set(builds.flat().flatMap((name) => [name, `${name}.gz`, `${name}.br`]));
  for (const name of await readdir(join(dir, 'assets')))
    if (!kept.has(`assets/${name}`)) await rm(join(dir, 'assets', name));
  await writeFile(listFile, JSON.stringify(builds));
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [gz, br] = await Promise.all([toGzip(bytes, { level: 9 }), toBrotli(bytes, { params })]);
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
}

/** The parts of the app and the entry modules of each; the first match wins. Each other language has a file of its own. */
const PARTS: readonly (readonly [name: string, entries: RegExp])[] = [
  ['first', /\/web\/index\.html$|\/student\/login\/login-screen/],
  [
    'space',
    /\/app\/data-layer|\/shell\/space-layout|\/student\/(?:dashboard|single-question|public-question)\/|\/en\/app\.json/,
  ],
  ['formulas', /\/rich-text\/katex/],
  ['code', /\/rich-text\/code-highlighting/],
  ['charts', /\/features\/charts\//],
  ['staff-charts', /\/votes-timeline|\/vote-chart/],
  ['editor', /\/features\/(?:editor|comments|questions)\/|\/student\/ask\//],
  [
    'staff',
    /\/app\/area-routes|\/features\/(?:areas|entry)\/|\/en\/staff\.json|\/screens\/(?:maintenance|moderation)\//,
  ],
  [
    'account',
    /\/student\/(?:login|register|forgot-password|terms|consent|logout)\/|\/features\/(?:sign-up|forgot-password)\/|\/node_modules\//,
  ],
  ['screens', /\/(?:screens|features)\//],
];

const partOf = (id: string): string | undefined => PARTS.find(([, entries]) => entries.test(id))?.[0];

/** The chunk for a module that these parts share. Students never load a module that only staff parts need. */
function chunkFor(parts: ReadonlySet<string>): string {
  const [only = '', ...others] = parts;
  if (others.length === 0) return only;
  // These load before all others.
  const earliest = ['first', 'space'].find((part) => parts.has(part));
  if (earliest !== undefined) return earliest;
  const students = [...parts].filter((part) => !part.startsWith('staff'));
  if (students.length === 0) return 'staff';
  return parts.size === 2 && parts.has('charts') && parts.has('staff-charts') ? 'charts' : 'kit';
}

/** Assigns each module to a chunk, by the parts that reach it in a build with the finest splitting. */
function assignChunks(output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Map<string, string> {
  const chunks = new Map<string, Rolldown.OutputChunk>();
  for (const file of output) if (file.type === 'chunk') chunks.set(file.fileName, file);
  const reachedBy = new Map<string, Set<string>>();
  const reach = (part: string, name: string, seen: Set<string>): void => {
    const chunk = chunks.get(name);
    if (chunk === undefined || seen.has(name)) return;
    seen.add(name);
    for (const id of chunk.moduleIds) reachedBy.set(id, (reachedBy.get(id) ?? new Set()).add(part));
    for (const next of chunk.imports) reach(part, next, seen);
  };
  for (const [name, { facadeModuleId }] of chunks) {
    const part = partOf(facadeModuleId ?? '');
    if (part !== undefined) reach(part, name, new Set());
  }
  // The editor's few styles go with those of the space: a separate file would cost each dashboard a request.
  const withStyles = (id: string, chunk: string) =>
    chunk === 'editor' && id.endsWith('.css') ? 'space' : chunk;
  return new Map([...reachedBy].map(([id, parts]) => [id, withStyles(id, chunkFor(parts))]));
}

/** Gives `head.js` a hashed name, and passes it the files that signed-in visitors load. */
const headScript = (): Plugin => ({
  name: 'nimo-head-script',
  apply: 'build',
  async buildStart() {
    const source = await readFile(join(import.meta.dirname, 'public', HEAD));
    this.emitFile({ type: 'asset', name: HEAD, source });
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = Object.values(bundle);
      const head = files.find((file) => file.type === 'asset' && file.names.includes(HEAD));
      const space = files
        .filter((file) => file.type === 'chunk')
        .filter(({ name }) => name === 'space')
        .flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
        .map((file) => `/${file}`);
      return html.replace(`src="/${HEAD}"`, `src="/${head?.fileName}" data-space="${space.join(' ')}"`);
    },
  },
});

const createConfig = (chunks: ReadonlyMap<string, string>) => ({
  root: import.meta.dirname,
  plugins: [operationCalls(), react(), headScript(), precompress()],
  define: { __NIMO_VERSION__: JSON.stringify(product.version) },
  build: {
    manifest: true,
    outDir: resolve(import.meta.dirname, '../../dist/web'),
    // `keepBuilds` deletes files of older builds.
    emptyOutDir: false,
    // light-dark() and relative colours must reach the browser as written.
    target: ['chrome123', 'edge123', 'firefox128', 'safari18'],
    // Data URLs for fonts or images would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // `assignChunks` has already placed the dependencies.
      output: {
        codeSplitting: {
          groups: [{ name: (id: string) => chunks.get(id) ?? null }],
          includeDependenciesRecursively: false,
        },
      },
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
  const unsplit = createConfig(new Map());
  if (command !== 'build') return unsplit;
  const finest = await build({
    ...unsplit,
    configFile: false,
    logLevel: 'silent',
    build: { ...unsplit.build, write: false, minify: false },
  });
  if (Array.isArray(finest) || !('output' in finest)) throw new TypeError('expected one build output');
  return createConfig(assignChunks(finest.output));
});
