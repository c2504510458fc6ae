import type * as katex from './katex';

type Katex = typeof katex;

let loaded: Katex | undefined;
let loading: Promise<Katex | undefined> | undefined;

/** KaTeX if it is already loaded: a formula then shows at once. */
export function katexIfLoaded(): Katex | undefined {
  return loaded;
}

/** Loads KaTeX with the first formula; undefined if it cannot be loaded, and sources then stay visible. */
export function loadKatex(): Promise<Katex | undefined> {
  loading ??= import('./katex').then(
    (module) => (loaded = module),
    () => (loading = undefined),
  );
  return loading;
}
