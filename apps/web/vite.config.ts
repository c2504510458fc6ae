import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env['NIMO_API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
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
