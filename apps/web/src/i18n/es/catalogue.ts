import type { Catalogue } from '../translation';

/** Every Spanish text. */
export const catalogue = {} as const satisfies Catalogue<'es'>;
