import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = process.env['NIMO_API_URL'] ?? 'http://127.0.0.1:3000';

/** Compressed once at build time: the api serves what a browser accepts without compressing anything. */
const precompress = (): Plugin => ({
  name: 'nimo-precompress',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(join(dir, 'assets'))) {
      if (!/\.(?:js|css|svg)$/.test(name)) continue;
      const path = join(dir, 'assets', name);
      const bytes = readFileSync(path);
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    }
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), precompress()],
  build: {
    manifest: true,
    outDir: resolve(import.meta.dirname, '../../dist/web'),
    emptyOutDir: true,
    // light-dark() and relative colours must reach the browser as written.
    target: ['chrome123', 'edge123', 'firefox128', 'safari18'],
    // A data: address for a font or a picture would need a hole in the content security policy.
    assetsInlineLimit: 0,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/graphql': { target: api, ws: true },
      '/media': api,
      '/avatars': api,
      '/upload': api,
      '/dev/outbox': api,
    },
  },
});
