import { expect, it } from '@jest/globals';
import * as limits from './limits.js';

/** Values of section 9 of the specification. */
it.each([
  ['PHONE_DIGITS', 10],
  ['PHONE_PREFIX', '91'],
  ['OTP_DIGITS', 4],
  ['MIN_PASSWORD_LENGTH', 8],
  ['SCOPE', 'world'],
  ['MAX_IMAGES', 10],
  ['QUESTIONS_PAGE_SIZE', 20],
  ['UNSOLVED_PAGE_SIZE', 10],
  ['ANSWERS_PAGE_SIZE', 100],
  ['ANSWER_COMMENTS_PAGE_SIZE', 100],
  ['QUESTION_COMMENTS_PAGE_SIZE', 10],
  ['NOTIFICATIONS_PAGE_SIZE', 50],
  ['ACTIVITIES_PAGE_SIZE', 100],
  ['REPORTS_PAGE_SIZE', 100],
  ['MAX_SAVED_QUESTIONS', 1000],
  ['MAX_USER_SEARCH', 1000],
  ['NEWS_PAGE_SIZE', 5],
  ['SEARCH_PAGE_SIZE', 10],
  ['TOPIC_SEARCH_PAGE_SIZE', 10],
] as const)('%s is %s', (name, number) => expect(limits[name]).toBe(number));
