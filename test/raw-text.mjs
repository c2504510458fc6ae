/** A file's text as its default export, as vite's `?raw` gives it. */
export default {
  process: (text) => ({ code: `export default ${JSON.stringify(text)};` }),
};
