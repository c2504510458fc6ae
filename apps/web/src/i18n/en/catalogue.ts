import { ask } from './ask';
import { auth } from './auth';
import { leaderboard } from './leaderboard';
import { profile } from './profile';
import { richText } from './rich-text';
import { search } from './search';
import { shell } from './shell';
import { shortcuts } from './shortcuts';
import { spaces } from './spaces';

/** Every English text, one namespace an area. The specification's wording is kept letter for letter, its spelling included. */
export const english = {
  shell,
  auth,
  spaces,
  ask,
  leaderboard,
  profile,
  richText,
  search,
  shortcuts,
} as const;
