import type { Catalogue } from '../translation';

/** Every Russian text. */
export const catalogue = {} as const satisfies Catalogue<'ru'>;
