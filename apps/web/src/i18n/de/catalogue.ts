import type { Catalogue } from '../translation';
import { account } from './account';
import { activities } from './activities';
import { ask } from './ask';
import { connection } from './connection';
import { consent } from './consent';
import { emoji } from './emoji';
import { errors } from './errors';
import { firstLoad } from './first-load';
import { frame } from './frame';
import { leaderboard } from './leaderboard';
import { narrow } from './narrow';
import { news } from './news';
import { notFound } from './not-found';
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
import { signUp } from './sign-up';
import { recovery } from './recovery';
import { spaces } from './spaces';
import { userDetail } from './user-detail';

/** Every German text. */
export const catalogue = {
  ...firstLoad,
  account,
  recovery,
  signUp,
  connection,
  consent,
  notFound,
  errors,
  ask,
  emoji,
  frame,
  leaderboard,
  narrow,
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
