import type { Catalogue } from '../translation';
import { activities } from './activities';
import { ask } from './ask';
import { emoji } from './emoji';
import { errors } from './errors';
import { firstLoad } from './first-load';
import { leaderboard } from './leaderboard';
import { news } from './news';
import { notifications } from './notifications';
import { profile } from './profile';
import { richText } from './rich-text';
import { score } from './score';
import { search } from './search';
import { secondFactor } from './second-factor';
import { securityLog } from './security-log';
import { sense } from './sense';
import { shortcuts } from './shortcuts';
import { settings } from './settings';
import { spaces } from './spaces';
import { userDetail } from './user-detail';

/** Every German text. */
export const catalogue = {
  ...firstLoad,
  errors,
  ask,
  emoji,
  leaderboard,
  news,
  profile,
  richText,
  score,
  search,
  secondFactor,
  securityLog,
  sense,
  shortcuts,
  settings,
  spaces,
  userDetail,
  notifications,
  activities,
} as const satisfies Catalogue<'de'>;
