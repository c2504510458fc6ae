import type { Catalogue } from '../translation';
import { ask } from './ask';
import { emoji } from './emoji';
import { firstLoad } from './first-load';
import { leaderboard } from './leaderboard';
import { profile } from './profile';
import { spaces } from './spaces';

/** Every Spanish text. */
export const catalogue = {
  ...firstLoad,
  ask,
  emoji,
  leaderboard,
  profile,
  spaces,
} as const satisfies Catalogue<'es'>;
