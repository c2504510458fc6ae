import type { Projection } from '../projection.js';
import { notices } from './notices.table.js';
import { upvoteDays, upvotesReceived } from './upvotes-received.tables.js';

/** What students are told of: what others did, and how many upvotes a day brought. */
export const notificationsProjection = {
  name: 'notifications',
  purpose: 'What students are told',
  version: 4,
  lingers: true,
  tables: [notices, upvotesReceived],
  counters: [upvoteDays],
} as const satisfies Projection;
