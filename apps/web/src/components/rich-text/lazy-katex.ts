import type * as katex from './katex';

type Katex = typeof katex;

let loaded: Katex | undefined;
let loading: Promise<Katex | undefined> | undefined;

/** The typesetter where it is there already: a formula then shows at once. */
export function katexIfLoaded(): Katex | undefined {
  return loaded;
}

/** The typesetter, loaded when the first formula needs it; nothing where it cannot be had, and then sources stay as they are. */
export function loadKatex(): Promise<Katex | undefined> {
  loading ??= import('./katex').then(
    (module) => (loaded = module),
    () => (loading = undefined),
  );
  return loading;
}
