import type { Catalogue } from '../translation';
import { ask } from './ask';
import { emoji } from './emoji';
import { firstLoad } from './first-load';
import { leaderboard } from './leaderboard';
import { news } from './news';
import { profile } from './profile';
import { spaces } from './spaces';
import { userDetail } from './user-detail';

/** Every Spanish text. */
export const catalogue = {
  ...firstLoad,
  ask,
  emoji,
  leaderboard,
  news,
  profile,
  spaces,
  userDetail,
} as const satisfies Catalogue<'es'>;
