import type { Catalogue } from '../translation';
import { auth } from './auth';
import { errors } from './errors';
import { shell } from './shell';
import { spaces } from './spaces';

/** Every German text. */
export const catalogue = { errors, shell, auth, spaces } as const satisfies Catalogue<'de'>;
