import type { Projection } from '../projection.js';
import { activityDays, questionCourses } from './question-courses.table.js';

/** What Nimo Sense shows of a space: counters by day and subject, so that nothing is counted when it is read. */
export const statisticsProjection = {
  name: 'statistics',
  purpose: 'Figures by space, day and subject',
  version: 2,
  lingers: true,
  tables: [questionCourses],
  counters: [activityDays],
} as const satisfies Projection;
