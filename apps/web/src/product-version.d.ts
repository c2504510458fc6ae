/** Version in package.json. Vite replaces it at build time. */
declare const __NIMO_VERSION__: string | undefined;
