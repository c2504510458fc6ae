import type { RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { PersonalDataCodec } from '../../apps/api/src/platform/personal-data/personal-data.codec.js';
import { StudentKeys } from '../../apps/api/src/platform/personal-data/student-keys.js';
import type { CommunityModel } from './community-model.js';
import { MASTER_KEY } from './faulty-product.js';

type LoggedData = Readonly<Record<string, string | null>>;

export interface LoggedEvent {
  readonly position: number;
  readonly type: string;
  readonly data: LoggedData;
}

/** Reads the log directly from the table; only decryption uses code of the product. */
export async function readLog(pool: Pool): Promise<LoggedEvent[]> {
  const { rows } = await pool.query<RecordedEvent & { readonly number: number }>(
    'select event_id as id, position::int as number, type, data, metadata from log.events order by position',
  );
  const opened = await new PersonalDataCodec(new StudentKeys(pool, MASTER_KEY)).decode(rows);
  return opened.map(({ type, data }, index) => ({
    position: rows[index]?.number ?? 0,
    type,
    data: data as LoggedData,
  }));
}

/** Gaps and duplicates in the log; empty if it is intact. */
export async function findLogFlaws(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ flaw: string }>(`
    select 'positions: ' || count(*) || ' events up to ' || max(position) as flaw from log.events
      having count(*) <> max(position) or min(position) <> 1
    union all
    select 'revisions of ' || stream_id from log.events group by stream_id
      having count(*) <> max(revision) + 1 or min(revision) <> 0
    union all
    select 'event without a command: ' || event_id from log.events where metadata->>'commandId' is null`);
  return rows.map(({ flaw }) => flaw);
}

const plain = (html: string | null | undefined): string => (html ?? '').replace(/<[^>]*>/g, '');

/** Adds posts whose ids were not in the response, with ids from the log. @returns texts of lost posts */
export function resolveMissingIds(model: CommunityModel, log: readonly LoggedEvent[]): string[] {
  const lost: string[] = [];
  for (const { kind, text, authorId, under } of model.postsWithoutId) {
    const event = log.find(({ type, data }) => type === CREATED[kind] && textOf(type, data) === text);
    const id = event?.data[ID[kind]];
    if (typeof id !== 'string') lost.push(text);
    else if (kind === 'QUESTION') model.ask(id, authorId, text);
    else if (kind === 'ANSWER') model.answer(id, authorId, under, text);
    else model.comment(id, authorId, under, text);
  }
  return lost;
}

const CREATED = { QUESTION: 'QuestionAsked', ANSWER: 'AnswerPosted', COMMENT: 'CommentPosted' } as const;
const ID = { QUESTION: 'questionId', ANSWER: 'answerId', COMMENT: 'commentId' } as const;

const textOf = (type: string, data: LoggedData): string =>
  type.startsWith('Question') ? (data['title'] ?? '') : plain(data['body']);

/** Number of times each effect is in the log, to compare with `expectedEffects`. */
export function countEffects(log: readonly LoggedEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, data } of log) {
    const key = effectOf(type, data);
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function effectOf(type: string, data: LoggedData): string | undefined {
  switch (type) {
    case 'QuestionAsked':
    case 'QuestionEdited':
    case 'AnswerPosted':
    case 'AnswerEdited':
    case 'CommentPosted':
      return textOf(type, data);
    case 'CommentDeleted':
      return `deleted ${String(data['commentId'])}`;
    case 'AnswerAccepted':
      return `accepted ${String(data['questionId'])} ${String(data['answerId'])}`;
    case 'VoteCast':
    case 'VoteWithdrawn':
      return `vote ${String(data['postId'])} ${String(data['voterId'])}`;
    case 'QuestionSaved':
    case 'QuestionUnsaved':
      return `bookmark ${String(data['questionId'])} ${String(data['studentId'])}`;
    default:
      return undefined;
  }
}

export function expectedEffects(model: CommunityModel): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of model.texts) counts[text] = 1;
  for (const { commentId, isDeleted } of model.comments.values())
    if (isDeleted) counts[`deleted ${commentId}`] = 1;
  for (const { postId, acceptedAnswerId } of model.postsOf('QUESTION')) {
    if (acceptedAnswerId !== null) counts[`accepted ${postId} ${acceptedAnswerId}`] = 1;
  }
  for (const [key, { events }] of model.votes) counts[`vote ${key}`] = events;
  for (const [key, { events }] of model.bookmarks) counts[`bookmark ${key}`] = events;
  return counts;
}
