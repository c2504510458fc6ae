import {
  bandFor,
  MAX_SPACES_SHOWN,
  MAX_SUBJECTS_SHOWN,
  MAX_TOPICS_SHOWN,
  type AgeBand,
  type SpaceEntry,
  type TopicType,
} from '@nimo/domain';
import { isArchivedColumn } from '../archived-space.sql.js';
import { escapeLikePattern, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import type { AgeInSpace } from './stated-ages.table.js';

export interface SpaceView {
  readonly _id: string;
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  readonly bannerImageUrl: string | null;
  readonly color: string;
  /** Whether the viewer is a member. */
  readonly joined: boolean;
  /** Null for non-members unless the space is open. */
  readonly memberCount: number | null;
  readonly entry: SpaceEntry;
  /** Read-only; `entry` is INVITATION meanwhile. */
  readonly isArchived: boolean;
  /** Status of the viewer's request to join. */
  readonly request: 'OPEN' | 'REFUSED' | null;
  /** Whether staff invited the viewer to join. */
  readonly isInvited: boolean;
  /** Reason given for a refusal. */
  readonly requestReason: string | null;
  /** Null if the space does not ask for an age. */
  readonly consent: SpaceConsentView | null;
}

/** Age question to answer before joining a space. */
export interface SpaceConsentView {
  /** Younger students need a guardian's consent. */
  readonly age: number;
  /** The viewer's answer; null if it does not apply to `age`. */
  readonly stated: AgeBand | null;
  readonly guardian: 'ASKED' | 'GIVEN' | 'REFUSED' | null;
}

export interface SubjectView {
  readonly _id: string;
  readonly subjectName: string;
  readonly color: string;
}

export interface TopicView {
  readonly _id: string;
  readonly topicName: string;
  readonly topicType: TopicType;
  readonly imageS3Url: string | null;
  readonly subject: SubjectView;
  readonly spaceId: string;
}

interface SpaceColumns extends Omit<SpaceView, 'consent'> {
  readonly consent_age: number | null;
  readonly stated_age: AgeInSpace | null;
}

const spaceFrom = ({ consent_age, stated_age, ...space }: SpaceColumns): SpaceView => ({
  ...space,
  consent: consentView(consent_age, stated_age),
});

/** @param answer the viewer's answer, if known */
export const consentView = (
  age: number | null,
  answer: AgeInSpace | null = null,
): SpaceConsentView | null => {
  if (age === null) return null;
  const stated = answer?.age != null && answer.band !== null ? { age: answer.age, band: answer.band } : null;
  return { age, stated: bandFor(age, stated), guardian: answer?.consent ?? null };
};

/** Non-members only see the name and description of a space that is not open. */
const IS_VISIBLE = "(s.entry = 'OPEN' or m.student_id is not null)";

/** SQL for the number of members of a space, without the stand-ins of an import. */
export const memberCountOf = (spaceId: string): string => `(
    coalesce((select c.members from read.space_members c where c.space_id = ${spaceId}), 0)
    - coalesce((select c.stand_ins from read.space_stand_ins c where c.space_id = ${spaceId}), 0))::int`;

const SPACE = `
  select s.space_id as "_id", s.name, s.description, s.scope, s.color, s.entry, ${isArchivedColumn('s.space_id')} as "isArchived", m.student_id is not null as joined,
    case when ${IS_VISIBLE} then s.banner_image_url end as "bannerImageUrl",
    case when ${IS_VISIBLE} then ${memberCountOf('s.space_id')} end as "memberCount",
    case when own.request is null then null when own.request->>'refusedAt' is null then 'OPEN' else 'REFUSED' end as request,
    own.request->>'reason' as "requestReason",
    m.student_id is null and coalesce(invited.invited_space_ids @> array[s.space_id], false) as "isInvited",
    s.consent_age, stated.stated_age
  from read.spaces s
  left join read.memberships m on m.space_id = s.space_id and m.student_id = $1 and m.left_at is null
  left join read.entry_requests invited on invited.student_id = $1
  left join lateral (
    select request from read.entry_requests r, jsonb_array_elements(r.requests) request
    where r.student_id = $1 and request->>'spaceId' = s.space_id limit 1) own on true
  left join lateral (
    select stated_age from read.stated_ages g, jsonb_array_elements(g.ages) stated_age
    where g.student_id = $1 and stated_age->>'spaceId' = s.space_id limit 1) stated on true`;

/** Hides spaces during an import, even from members. */
const IS_COMPLETE = "s.entry <> 'IMPORTING'";

/** All spaces, most members first. */
export async function listSpaces(db: Queryable, viewerId: string | null): Promise<SpaceView[]> {
  const text = `${SPACE} where ${IS_COMPLETE} and (m.student_id is not null or not ${isArchivedColumn('s.space_id')}) order by ${memberCountOf('s.space_id')} desc, s.name, s.space_id limit ${MAX_SPACES_SHOWN}`;
  return (await db.query<SpaceColumns>({ name: 'spaces', text, values: [viewerId] })).rows.map(spaceFrom);
}

/** Spaces of a student, in the order of joining. */
export async function listSpacesOf(db: Queryable, studentId: string): Promise<SpaceView[]> {
  const text = `${SPACE} where ${IS_COMPLETE} and m.student_id is not null order by m.joined_at, s.space_id limit ${MAX_SPACES_SHOWN}`;
  const { rows } = await db.query<SpaceColumns>({ name: 'spaces-of-student', text, values: [studentId] });
  return rows.map(spaceFrom);
}

export async function findSpaceById(
  db: Queryable,
  spaceId: string,
  viewerId: string | null,
): Promise<SpaceView | null> {
  const text = `${SPACE} where ${IS_COMPLETE} and s.space_id = $2`;
  const { rows } = await db.query<SpaceColumns>({ name: 'space-by-id', text, values: [viewerId, spaceId] });
  return rows[0] ? spaceFrom(rows[0]) : null;
}

export async function isMemberOf(db: Queryable, spaceId: string, studentId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'is-member',
    text: `select 1 from read.memberships
           where space_id = $1 and student_id = $2 and left_at is null and ${notOfRemovedSpace('$1')}`,
    values: [spaceId, studentId],
  });
  return rows.length > 0;
}

/** Whether one of the spaces was deleted. */
export async function hasRemovedSpace(db: Queryable, spaceIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-removed-space',
    text: 'select 1 from read.removed_spaces where space_id = any($1::text[]) limit 1',
    values: [spaceIds],
  });
  return rows.length > 0;
}

/** Ids of members by `userNameKey`, for user names in any case. */
export async function membersByUserName(
  db: Queryable,
  spaceId: string,
  userNames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userNames.length === 0) return new Map();
  const { rows } = await db.query<{ key: string; student_id: string }>({
    name: 'members-by-user-name',
    text: `select lower(s.user_name) as key, s.student_id from read.students s
           join read.memberships m on m.space_id = $1 and m.student_id = s.student_id and m.left_at is null
           where lower(s.user_name) collate "C" = any($2)`,
    values: [spaceId, userNames],
  });
  return new Map(rows.map(({ key, student_id }) => [key, student_id]));
}

export async function listSubjects(db: Queryable, spaceId: string): Promise<SubjectView[]> {
  const { rows } = await db.query<SubjectView>({
    name: 'subjects-of-space',
    text: `select subject_id as "_id", subject_name as "subjectName", color
           from read.subjects where space_id = $1 and ${notOfRemovedSpace('$1')} order by subject_name, subject_id limit ${MAX_SUBJECTS_SHOWN}`,
    values: [spaceId],
  });
  return rows;
}

/** Finds a subject with its space. */
export async function findSubjectById(
  db: Queryable,
  subjectId: string,
): Promise<(SubjectView & { readonly spaceId: string }) | null> {
  const { rows } = await db.query<SubjectView & { readonly spaceId: string }>({
    name: 'subject-by-id',
    text: `select subject_id as "_id", subject_name as "subjectName", color, space_id as "spaceId"
           from read.subjects where subject_id = $1 and ${notOfRemovedSpace('space_id')}`,
    values: [subjectId],
  });
  return rows[0] ?? null;
}

/** Spaces of the subjects. Callers must be members to list the topics. */
export async function findSpaceIdsOfSubjects(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ space_id: string }>({
    name: 'spaces-of-subjects',
    text: 'select distinct space_id from read.subjects where subject_id = any($1::text[])',
    values: [subjectIds],
  });
  return rows.map((row) => row.space_id);
}

export interface TopicColumns {
  _id: string;
  topicName: string;
  topicType: TopicType;
  imageS3Url: string | null;
  spaceId: string;
  subjectId: string;
  subjectName: string;
  subjectColor: string;
}

export const TOPIC = `
  select t.topic_id as "_id", t.topic_name as "topicName", t.topic_type as "topicType", t.image_s3_url as "imageS3Url",
    t.space_id as "spaceId", t.subject_id as "subjectId", j.subject_name as "subjectName", j.color as "subjectColor"
  from read.topics t
  join read.subjects j on j.subject_id = t.subject_id`;

export const topicFrom = ({ subjectId, subjectName, subjectColor, ...topic }: TopicColumns): TopicView => ({
  ...topic,
  subject: { _id: subjectId, subjectName, color: subjectColor },
});

/** PRIMARY sorts before SECONDARY. */
export const TOPIC_ORDER = 'order by t.topic_type, lower(t.topic_name), t.topic_id';

export async function findTopicById(db: Queryable, topicId: string): Promise<TopicView | null> {
  const { rows } = await db.query<TopicColumns>({
    name: 'topic-by-id',
    text: `${TOPIC} where t.topic_id = $1 and ${notOfRemovedSpace('t.space_id')}`,
    values: [topicId],
  });
  return rows[0] ? topicFrom(rows[0]) : null;
}

export interface TopicsOfSubjects {
  readonly subjectIds: readonly string[];
  readonly search?: string | undefined;
  readonly limit?: number;
}

/** Topics of the subjects, PRIMARY first. */
export async function listTopicsOfSubjects(
  db: Queryable,
  { subjectIds, search = '', limit = MAX_TOPICS_SHOWN }: TopicsOfSubjects,
): Promise<TopicView[]> {
  const { rows } = await db.query<TopicColumns>({
    name: 'topics-of-subjects',
    text: `${TOPIC} where t.subject_id = any($1::text[]) and lower(t.topic_name) like $2 and ${notOfRemovedSpace('t.space_id')}
           ${TOPIC_ORDER} limit $3`,
    values: [subjectIds, `%${escapeLikePattern(search.trim().toLowerCase())}%`, limit],
  });
  return rows.map(topicFrom);
}

/** Existing topics in the order of the ids. */
export async function findTopicsByIds(db: Queryable, ids: readonly string[]): Promise<TopicView[]> {
  const { rows } = await db.query<TopicColumns>({
    name: 'topics-by-ids',
    text: `${TOPIC} where t.topic_id = any($1::text[]) order by array_position($1::text[], t.topic_id)`,
    values: [ids],
  });
  return rows.map(topicFrom);
}

export interface PopularTopics {
  readonly spaceId: string;
  readonly topicType?: TopicType | undefined;
  readonly subjectIds?: readonly string[] | undefined;
  readonly limit?: number;
}

/** Topics by number of questions that are not removed, then by name. */
export async function listPopularTopics(
  db: Queryable,
  { spaceId, topicType, subjectIds, limit = 30 }: PopularTopics,
): Promise<TopicView[]> {
  const { rows } = await db.query<TopicColumns>({
    name: 'topics-popular',
    text: `${TOPIC}
           left join read.question_totals c on c.space_id = t.space_id and c.subject_id = '' and c.topic_id = t.topic_id
           where t.space_id = $1 and ($2::text is null or t.topic_type = $2)
             and ($3::text[] is null or t.subject_id = any($3))
           order by coalesce(c.solved + c.unsolved, 0) desc, lower(t.topic_name), t.topic_id limit $4`,
    values: [spaceId, topicType ?? null, subjectIds?.length ? subjectIds : null, limit],
  });
  return rows.map(topicFrom);
}
