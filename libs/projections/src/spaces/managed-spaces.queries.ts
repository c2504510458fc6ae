import type { SpaceEntry } from '@nimo/domain';
import { isArchivedColumn } from '../archived-space.sql.js';
import { isoTime, escapeLikePattern, openPage, type OpenPage, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import {
  memberCountOf,
  TOPIC,
  TOPIC_ORDER,
  topicFrom,
  type TopicColumns,
  type TopicView,
} from './spaces.queries.js';

/** A space, as staff sees it. */
export interface ManagedSpaceView {
  readonly _id: string;
  readonly name: string;
  readonly description: string;
  readonly bannerImageUrl: string | null;
  readonly color: string;
  readonly hiddenFromSearchEngines: boolean;
  readonly entry: SpaceEntry;
  readonly isArchived: boolean;
  readonly publicPages: boolean;
  /** In years; null if the space does not ask for an age. */
  readonly consentAge: number | null;
  readonly createdAt: string;
  readonly memberCount: number;
  readonly subjectCount: number;
  readonly topicCount: number;
}

export interface ManagedSubjectView {
  readonly _id: string;
  readonly subjectName: string;
  readonly color: string;
  readonly topicCount: number;
}

export interface ManagedTopicView extends TopicView {
  readonly slug: string;
  /** Excludes removed questions. */
  readonly questionCount: number;
}

const MANAGED_SPACE = `
  select s.space_id as "_id", s.name, s.description, s.banner_image_url as "bannerImageUrl", s.color,
    s.is_hidden_from_search_engines as "hiddenFromSearchEngines", s.entry, ${isArchivedColumn('s.space_id')} as "isArchived", s.has_public_pages as "publicPages", s.consent_age as "consentAge", ${isoTime('s.created_at')} as "createdAt",
    ${memberCountOf('s.space_id')} as "memberCount",
    (select count(*) from read.subjects j where j.space_id = s.space_id)::int as "subjectCount",
    (select count(*) from read.topics t where t.space_id = s.space_id)::int as "topicCount"
  from read.spaces s`;

/** Sorted by name. */
export async function listManagedSpaces(db: Queryable): Promise<ManagedSpaceView[]> {
  const text = `${MANAGED_SPACE} order by lower(s.name), s.space_id`;
  return (await db.query<ManagedSpaceView>({ name: 'managed-spaces', text })).rows;
}

export async function findManagedSpace(db: Queryable, spaceId: string): Promise<ManagedSpaceView | null> {
  const text = `${MANAGED_SPACE} where s.space_id = $1`;
  const { rows } = await db.query<ManagedSpaceView>({ name: 'managed-space', text, values: [spaceId] });
  return rows[0] ?? null;
}

/** Up to two ids, enough to detect an ambiguous name. */
export async function findSpaceIdsByName(db: Queryable, name: string): Promise<string[]> {
  const { rows } = await db.query<{ space_id: string }>({
    text: 'select space_id from read.spaces where lower(name) = lower($1) order by space_id limit 2',
    values: [name],
  });
  return rows.map(({ space_id }) => space_id);
}

const MANAGED_SUBJECT = `
  select j.subject_id as "_id", j.subject_name as "subjectName", j.color,
    (select count(*) from read.topics t where t.subject_id = j.subject_id)::int as "topicCount"
  from read.subjects j`;

export async function listManagedSubjects(db: Queryable, spaceId: string): Promise<ManagedSubjectView[]> {
  const text = `${MANAGED_SUBJECT} where j.space_id = $1 and ${notOfRemovedSpace('$1')} order by lower(j.subject_name), j.subject_id`;
  return (await db.query<ManagedSubjectView>({ name: 'managed-subjects', text, values: [spaceId] })).rows;
}

export async function findManagedSubject(
  db: Queryable,
  subjectId: string,
): Promise<ManagedSubjectView | null> {
  const text = `${MANAGED_SUBJECT} where j.subject_id = $1 and ${notOfRemovedSpace('j.space_id')}`;
  const { rows } = await db.query<ManagedSubjectView>({ name: 'managed-subject', text, values: [subjectId] });
  return rows[0] ?? null;
}

type ManagedTopicColumns = TopicColumns & { slug: string; questions: number };

const MANAGED_TOPIC = TOPIC.replace(
  'from read.topics t',
  ', t.slug, coalesce(c.solved + c.unsolved, 0)::int as questions from read.topics t',
);
const QUESTIONS = `
  left join read.question_totals c on c.space_id = t.space_id and c.subject_id = '' and c.topic_id = t.topic_id`;

const managedTopicFrom = ({ slug, questions, ...topic }: ManagedTopicColumns): ManagedTopicView => ({
  ...topicFrom(topic),
  slug,
  questionCount: questions,
});

export interface TopicPageOptions {
  readonly subjectId: string;
  readonly search?: string | undefined;
  readonly page?: number;
  readonly limit?: number;
}

/** PRIMARY topics first, then by name. */
export async function pageOfTopics(
  db: Queryable,
  { subjectId, search = '', page = 1, limit = 20 }: TopicPageOptions,
): Promise<OpenPage<ManagedTopicView>> {
  const { rows } = await db.query<ManagedTopicColumns>({
    name: 'managed-topics',
    text: `${MANAGED_TOPIC} ${QUESTIONS}
           where t.subject_id = $1 and lower(t.topic_name) like $2 and ${notOfRemovedSpace('t.space_id')} ${TOPIC_ORDER} offset $3 limit $4`,
    values: [subjectId, `%${escapeLikePattern(search.trim().toLowerCase())}%`, (page - 1) * limit, limit + 1],
  });
  return openPage(rows.map(managedTopicFrom), page, limit);
}

export async function findManagedTopic(db: Queryable, topicId: string): Promise<ManagedTopicView | null> {
  const { rows } = await db.query<ManagedTopicColumns>({
    name: 'managed-topic',
    text: `${MANAGED_TOPIC} ${QUESTIONS} where t.topic_id = $1 and ${notOfRemovedSpace('t.space_id')}`,
    values: [topicId],
  });
  return rows[0] ? managedTopicFrom(rows[0]) : null;
}
