import type { SpaceEntry, TopicType } from '@nimo/domain';
import { isArchivedColumn } from '../archived-space.sql.js';
import { hasPrivatePictures, isoTime } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { isInForce } from '../suspension-in-force.sql.js';
import {
  consentView,
  memberCountOf,
  type SpaceView,
  type SubjectView,
  type TopicView,
} from '../spaces/spaces.queries.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';

export interface ReferenceView {
  readonly _id: string;
}

export interface QuestionView {
  readonly _id: string;
  readonly title: string;
  /** Sanitised HTML; empty in lists without bodies. */
  readonly body: string;
  /** Plain text cut from the body. */
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly imageUrls: readonly string[];
  /** Whether only readers of the space may see the pictures, so their URLs must be signed. */
  readonly hasPrivatePictures: boolean;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly upvoteCount: number;
  readonly downvoteCount: number;
  readonly answerCount: number;
  readonly commentsCount: number;
  readonly acceptedAnswer: ReferenceView | null;
  readonly subject: SubjectView;
  readonly topic: TopicView;
  readonly schoolClass: null;
  readonly space: SpaceView;
  readonly scope: string;
  /** Only contains the viewer, if they upvoted. */
  readonly upvotedBy: readonly ReferenceView[];
  readonly downvotedBy: readonly ReferenceView[];
  readonly author: AuthorView;
  readonly obType: 'QUESTION';
  readonly isSaved: boolean;
  readonly isAuthorizedToView: true;
  /** Whether the viewer may take part: a member, not suspended, in a space that is not archived. Lists without details check the first. */
  readonly isAuthorizedToInteract: boolean;
  /** Whether the author has left the space or cannot sign in. False for visitors and in lists without details. */
  readonly isAuthorAway: boolean;
}

export interface QuestionColumns extends AuthorColumns {
  question_id: string;
  title: string;
  body: string;
  excerpt: string;
  tags: string[];
  image_urls: string[];
  has_private_pictures: boolean;
  created: string;
  edited: string | null;
  upvotes: number;
  downvotes: number;
  answer_count: number;
  comments_count: number;
  accepted_answer_id: string | null;
  subject_id: string;
  subject_name: string | null;
  subject_color: string | null;
  topic_id: string;
  topic_name: string | null;
  topic_type: TopicType | null;
  topic_image: string | null;
  space_id: string;
  space_name: string | null;
  space_description: string | null;
  scope: string | null;
  space_banner: string | null;
  space_color: string | null;
  space_members: number | null;
  space_entry: SpaceEntry | null;
  space_consent_age: number | null;
  space_is_archived: boolean | null;
  is_member: boolean;
  is_suspended: boolean;
  own_vote: string | null;
  is_saved: boolean;
  is_author_away: boolean;
}

/** SQL for the direction of the viewer's (`$1`) vote on a post. */
export const ownVoteColumn = (postId: string): string =>
  `(select w.direction from read.votes w where w.post_id = ${postId} and w.voter_id = $1 and w.is_held limit 1)`;

/** Optional parts of a question in a list. Each costs several lookups per row. */
export interface QuestionParts {
  /** False leaves `body` empty; cards show `excerpt`. */
  readonly body: boolean;
  /** False omits the space, the viewer's vote and the bookmark. */
  readonly details: boolean;
}

export const ALL_PARTS: QuestionParts = { body: true, details: true };

const DETAILS = `
  p.name as space_name, p.description as space_description, p.scope, p.banner_image_url as space_banner,
  p.color as space_color, p.entry as space_entry, p.consent_age as space_consent_age, ${isArchivedColumn('p.space_id')} as space_is_archived, ${memberCountOf('p.space_id')} as space_members, ${ownVoteColumn('q.question_id')} as own_vote,
  (select b.student_id from read.bookmarks b where b.question_id = q.question_id and b.student_id = $1 limit 1) is not null as is_saved,
  exists (select from read.suspensions u where u.space_id = q.space_id and u.student_id = $1 and ${isInForce('u')}) as is_suspended,
  $1::text is not null and (not coalesce(not a.is_erased and (a.registration_type <> 'IMPORTED' or a.phone is not null or a.email is not null), false)
    or not exists (select from read.memberships am where am.space_id = q.space_id and am.student_id = q.author_id and am.left_at is null)
  ) as is_author_away`;
const NO_DETAILS = `
  null as space_name, null as space_description, null as scope, null as space_banner, null as space_color, null as space_entry, null::integer as space_consent_age, null::boolean as space_is_archived, null as space_members,
  null as own_vote, false as is_saved, false as is_suspended, false as is_author_away`;

/** Columns of a question view, from `q` and `questionJoins`. `$1` is the viewer or null. */
export const questionView = ({ body, details }: QuestionParts, isMember: string): string => `
  q.question_id, q.title, ${body ? 'q.body' : "''"} as body, q.excerpt, q.tags, q.image_urls, ${hasPrivatePictures('q.image_urls', 'q.space_id')} as has_private_pictures, q.answer_count, q.comments_count,
  q.accepted_answer_id, q.subject_id, q.topic_id, q.space_id,
  ${isoTime('q.created_at')} as created, ${isoTime('q.edited_at')} as edited,
  coalesce(v.upvotes, 0)::int as upvotes, coalesce(v.downvotes, 0)::int as downvotes,
  j.subject_name, j.color as subject_color, t.topic_name, t.topic_type, t.image_s3_url as topic_image,
  ${details ? DETAILS : NO_DETAILS}, ${isMember} as is_member, ${authorColumns('a', 'q.author_id')}`;

/** SQL for whether the viewer is a member. With a parameter as `spaceId`, PostgreSQL evaluates it once per statement. */
export const isMemberColumn = (spaceId: string): string =>
  `(${notOfRemovedSpace(spaceId)} and exists (
    select from read.memberships m where m.space_id = ${spaceId} and m.student_id = $1 and m.left_at is null))`;

/** Left joins, because other projections may lag behind. */
export const questionJoins = ({ details }: Pick<QuestionParts, 'details'>): string => `
  left join read.students a on a.student_id = q.author_id
  left join read.subjects j on j.subject_id = q.subject_id
  left join read.topics t on t.topic_id = q.topic_id
  left join read.post_votes v on v.post_id = q.question_id
  ${details ? `left join read.spaces p on p.space_id = q.space_id` : ''}`;

/** Shows only the viewer's own vote. */
export const ownVote = (direction: string | null, viewerId: string | null) => {
  const viewer = viewerId === null ? [] : [{ _id: viewerId }];
  return { upvotedBy: direction === 'UP' ? viewer : [], downvotedBy: direction === 'DOWN' ? viewer : [] };
};

export function questionFrom(row: QuestionColumns, viewerId: string | null): QuestionView {
  const subject = {
    _id: row.subject_id,
    subjectName: row.subject_name ?? '',
    color: row.subject_color ?? '',
  };
  return {
    _id: row.question_id,
    title: row.title,
    body: row.body,
    excerpt: row.excerpt,
    tags: row.tags.length > 0 ? row.tags : [row.topic_name ?? ''],
    imageUrls: row.image_urls,
    hasPrivatePictures: row.has_private_pictures,
    createdAt: row.created,
    editedAt: row.edited,
    upvoteCount: row.upvotes,
    downvoteCount: row.downvotes,
    answerCount: row.answer_count,
    commentsCount: row.comments_count,
    acceptedAnswer: row.accepted_answer_id === null ? null : { _id: row.accepted_answer_id },
    subject,
    topic: topicOf(row, subject),
    schoolClass: null,
    space: spaceOf(row),
    scope: row.scope ?? 'world',
    ...ownVote(row.own_vote, viewerId),
    author: authorFrom(row),
    obType: 'QUESTION',
    isSaved: row.is_saved,
    isAuthorizedToView: true,
    isAuthorizedToInteract: row.is_member && !row.is_suspended && row.space_is_archived !== true,
    isAuthorAway: row.is_author_away,
  };
}

const topicOf = (row: QuestionColumns, subject: SubjectView): TopicView => ({
  _id: row.topic_id,
  topicName: row.topic_name ?? '',
  topicType: row.topic_type ?? 'SECONDARY',
  imageS3Url: row.topic_image,
  subject,
  spaceId: row.space_id,
});

const spaceOf = (row: QuestionColumns): SpaceView => ({
  _id: row.space_id,
  name: row.space_name ?? '',
  description: row.space_description ?? '',
  scope: row.scope ?? 'world',
  bannerImageUrl: row.space_banner,
  color: row.space_color ?? '',
  joined: row.is_member,
  memberCount: row.space_members ?? 0,
  entry: row.space_entry ?? 'OPEN',
  isArchived: row.space_is_archived ?? false,
  // Readers of the question are members or need no approval to join.
  request: null,
  requestReason: null,
  isInvited: false,
  consent: consentView(row.space_consent_age),
});
