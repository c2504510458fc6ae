import { activities } from './activities';
import { ask } from './ask';
import { emoji } from './emoji';
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
import { settings } from './settings';
import { shortcuts } from './shortcuts';
import { spaces } from './spaces';
import { userDetail } from './user-detail';

/** Every English text, one namespace an area. The specification's wording is kept letter for letter, its spelling included. */
export const english = {
  ...firstLoad,
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
  settings,
  shortcuts,
  spaces,
  userDetail,
  notifications,
  activities,
} as const;
