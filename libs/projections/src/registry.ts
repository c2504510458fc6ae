import type { EventType } from '@nimo/domain';
import { activitiesProjection } from './activities/activities.projection.js';
import { avatarsProjection } from './avatars/avatars.projection.js';
import { auditProjection } from './audit/audit.tables.js';
import { historyProjection, questionHistoryProjection } from './history/history.tables.js';
import { leaderboardProjection } from './leaderboard/leaderboard.projection.js';
import { moderationProjection } from './moderation/moderation.projection.js';
import { newsProjection } from './news/news.projection.js';
import { notesProjection } from './notes/notes.projection.js';
import { notificationsProjection } from './notifications/notifications.tables.js';
import { patternsProjection } from './patterns/patterns.tables.js';
import type { Projection } from './projection.js';
import { picturesProjection } from './pictures/pictures.projection.js';
import { questionsProjection } from './questions/questions.projection.js';
import { searchProjection } from './search/search.tables.js';
import { spacesProjection } from './spaces/spaces.projection.js';
import { statisticsProjection } from './statistics/statistics.tables.js';
import { studentsProjection } from './students/students.projection.js';

export const projections: readonly Projection[] = [
  studentsProjection,
  spacesProjection,
  avatarsProjection,
  questionsProjection,
  picturesProjection,
  leaderboardProjection,
  searchProjection,
  newsProjection,
  moderationProjection,
  notificationsProjection,
  activitiesProjection,
  statisticsProjection,
  auditProjection,
  patternsProjection,
  historyProjection,
  questionHistoryProjection,
  notesProjection,
];

/** Events that change how earlier events decode: they delete the key that seals a person's text. */
export const REWRITING_EVENTS: readonly EventType[] = [
  'StudentErased',
  'QuestionWordsErased',
  'AnswerWordsErased',
  'CommentWordsErased',
];
