import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from '@swc/core';

const root = new URL('..', import.meta.url);
const PACKAGE_ENTRIES = {
  '@jest/globals': 'test/jest/jest-globals.mjs',
  '@nimo/domain': 'libs/domain/src/index.ts',
  '@nimo/event-store': 'libs/event-store/src/index.ts',
  '@nimo/event-store/testing': 'libs/event-store/src/testing.ts',
  '@nimo/projection-engine': 'libs/projection-engine/src/index.ts',
  '@nimo/projection-engine/testing': 'libs/projection-engine/src/testing.ts',
  '@nimo/testing': 'libs/testing/src/index.ts',
  '@nimo/rich-text/testing': 'libs/rich-text/src/testing.ts',
  '@nimo/rich-text': 'libs/rich-text/src/index.ts',
  '@nimo/search': 'libs/search/src/index.ts',
  '@nimo/search/testing': 'libs/search/src/testing.ts',
  '@nimo/projections': 'libs/projections/src/index.ts',
  '@nimo/projections/testing': 'libs/projections/src/testing.ts',
};

/** Spec files have a query string, so that they can be loaded again. */
const isTypeScript = (url) => /\.ts(\?|$)/.test(url);

export async function resolve(specifier, context, next) {
  const entry = PACKAGE_ENTRIES[specifier];
  if (entry !== undefined) return { url: new URL(entry, root).href, shortCircuit: true };
  const isOurs =
    specifier.startsWith('.') && specifier.endsWith('.js') && isTypeScript(context.parentURL ?? '');
  if (isOurs) {
    const source = fileURLToPath(new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL));
    if (existsSync(source)) return { url: pathToFileURL(source).href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isTypeScript(url) || url.includes('/node_modules/')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    configFile: false,
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      // Node loads JSON only with an import attribute.
      experimental: { keepImportAttributes: true },
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  return { format: 'module', source: code, shortCircuit: true };
}
