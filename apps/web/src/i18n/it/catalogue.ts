import type { Catalogue } from '../translation';

/** Every Italian text. */
export const catalogue = {} as const satisfies Catalogue<'it'>;
