import { mentionNamesSql, withPlainNames, type MentionNames } from '../mention-names.js';
import { isInForce } from '../suspension-in-force.sql.js';
import { staffWordsOf } from '../moderation/staff-words.table.js';
import { isoTime, type Statement } from '../queryable.js';
import { nameEvenIfRemoved } from '../removed-space.sql.js';
import { VERSION_IN_FORCE } from '../version-in-force.sql.js';

/** A section of a student's data export, read by a cursor. */
export interface OwnSection {
  readonly name: string;
  /** Run in order; their rows are concatenated. */
  readonly statements: readonly Statement[];
  /** Converts a row for the export. */
  readonly transform?: (row: OwnRow) => OwnRow;
}
export type OwnRow = Readonly<Record<string, unknown>>;

const userName = (column: string): string =>
  `(select p.user_name from read.students p where p.student_id = ${column})`;
const titleOf = (column: string): string =>
  `(select q.title from read.questions q where q.question_id = ${column} and not q.is_removed)`;

/** SQL by section, in export order. `$1` is the student. */
const SECTIONS: Readonly<Record<string, string>> = {
  profile: `
    select student_id as "studentId", user_name as "userName", first_name as "firstName", last_name as "lastName",
      profile_desc as "about", real_profile_pic_url as "picture", phone, is_phone_verified as "isPhoneVerified", email,
      is_email_confirmed as "isEmailConfirmed", registration_type as "registrationType", is_blocked as "isBlocked",
      ${isoTime('created_at')} as "signedUpAt"
    from read.students x where student_id = $1`,
  roles: `
    select role, nullif(space_id, '') as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space
    from read.student_roles x where student_id = $1 order by role, space_id`,
  memberships: `
    select space_id as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space, ${isoTime('joined_at')} as "joinedAt",
      ${isoTime('left_at')} as "leftAt", suspended_by is not null and (u.student_id is null or ${isInForce('u')}) as "isSuspended",
      case when ${isInForce('u')} then ${isoTime('u.ends_at')} end as "suspendedUntil"
    from read.memberships x left join read.suspensions u using (space_id, student_id) where student_id = $1 order by joined_at, space_id`,
  questions: `
    select question_id as "questionId", space_id as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space, title, body, tags,
      image_urls as "imageUrls", ${isoTime('created_at')} as "askedAt", ${isoTime('edited_at')} as "editedAt",
      accepted_answer_id as "acceptedAnswerId", answer_count as "answers", is_removed as "isRemoved"
    from read.questions x where author_id = $1 order by created_at, question_id`,
  answers: `
    select answer_id as "answerId", question_id as "questionId", ${titleOf('x.question_id')} as question, space_id as "spaceId",
      ${nameEvenIfRemoved('x.space_id')} as space, body, image_urls as "imageUrls", ${isoTime('created_at')} as "answeredAt",
      ${isoTime('edited_at')} as "editedAt", is_removed as "isRemoved"
    from read.answers x where author_id = $1 order by created_at, answer_id`,
  comments: `
    select comment_id as "commentId", parent_type as "parentType", parent_id as "parentId", question_id as "questionId",
      ${titleOf('x.question_id')} as question, ${nameEvenIfRemoved('x.space_id')} as space, body,
      ${mentionNamesSql('x.mentioned_student_ids')} as mentioned, ${isoTime('created_at')} as "writtenAt", is_removed as "isRemoved"
    from read.comments x where author_id = $1 order by created_at, comment_id`,
  votes: `
    select post_id as "postId", direction, invalid_in <> '{}' as "isInvalid"
    from read.votes x where voter_id = $1 and is_held order by post_id, direction`,
  bookmarks: `
    select question_id as "questionId", ${titleOf('x.question_id')} as question, ${nameEvenIfRemoved('x.space_id')} as space,
      ${isoTime('saved_at')} as "savedAt"
    from read.bookmarks x where student_id = $1 order by saved_at, question_id`,
  reports: `
    select post_id as "postId", post_type as "postType", ${nameEvenIfRemoved('x.space_id')} as space, reason,
      ${isoTime('reported_at')} as "reportedAt"
    from read.post_reports x where reporter_id = $1 order by reported_at, post_id`,
  newsWritten: `
    select newspost_id as "newspostId", ${nameEvenIfRemoved('x.space_id')} as space, title, body, ${isoTime('created_at')} as "publishedAt",
      ${isoTime('edited_at')} as "editedAt", is_removed as "isRemoved"
    from read.newsposts x where author_id = $1 order by created_at, newspost_id`,
  newsReactions: `
    select r.newspost_id as "newspostId", n.title, r.is_liked as "isLiked", r.is_saved as "isSaved"
    from read.newspost_reactions r left join read.newsposts n on n.newspost_id = r.newspost_id and not n.is_removed
    where r.student_id = $1 order by r.newspost_id`,
  notifications: `
    select type, post_id as "postId", question_id as "questionId", ${titleOf('x.question_id')} as question,
      ${nameEvenIfRemoved('x.space_id')} as space, ${userName("nullif(x.actor_id, '')")} as "by",
      case when ruling_ordinal is not null then coalesce(${staffWordsOf('$1', 'x.ruling_ordinal')}, '') end as reason, ${isoTime('created_at')} as "at"
    from read.notices x where receiver_id = $1 order by created_at, post_id, type`,
  activities: `
    select type, post_id as "postId", question_id as "questionId", ${titleOf('x.question_id')} as question,
      ${nameEvenIfRemoved('x.space_id')} as space, ${isoTime('created_at')} as "at"
    from read.activities x where student_id = $1 order by created_at, type, post_id`,
  decisions: `
    select post_id as "postId", post_type as "postType", ${nameEvenIfRemoved('x.space_id')} as space, decision,
      coalesce(${staffWordsOf('$1', 'x.ordinal')}, '') as reason,
      ${isoTime('decided_at')} as "decidedAt"
    from read.moderation_decisions x
    where author_id = $1 and decision in ('UPHELD', 'DELETED', 'REVERSED') order by decided_at, post_id`,
  warnings: `
    select space_id as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space, coalesce(${staffWordsOf('$1', 'x.ordinal')}, '') as text,
      post_id as "postId", ${isoTime('warned_at')} as "at"
    from read.warnings x where student_id = $1 order by warned_at, warning_id`,
  removals: `
    select removal_id as "removalId", space_id as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space, post_count as posts,
      coalesce(${staffWordsOf('$1', 'x.removed_ordinal')}, '') as reason, ${isoTime('removed_at')} as "removedAt",
      ${isoTime('restored_at')} as "restoredAt",
      case when restored_at is not null then coalesce(${staffWordsOf('$1', 'x.restored_ordinal')}, '') end as "restoreReason"
    from read.removals x where author_id = $1 order by removed_ordinal`,
  scores: `
    select space_id as "spaceId", ${nameEvenIfRemoved('x.space_id')} as space, merit as reputations, impact as commitments, score,
      ${VERSION_IN_FORCE} as "rulesVersion", questions_asked as "questionsAsked", questions_answered as "questionsAnswered",
      answers_accepted as "answersAccepted"
    from read.leaderboard x where student_id = $1 order by space_id`,
};

/** @param scoreFacts result of `ownPointsStatements` */
export const ownSections = (studentId: string, scoreFacts: readonly Statement[]): readonly OwnSection[] => [
  ...Object.entries(SECTIONS).map(([name, text]) => ({
    name,
    statements: [{ text, values: [studentId] }],
    ...(name === 'comments' && { transform: withMentions }),
  })),
  { name: 'scoreFacts', statements: scoreFacts },
];

const withMentions = ({ mentioned, ...row }: OwnRow): OwnRow => ({
  ...row,
  body: withPlainNames(String(row['body']), (mentioned ?? {}) as MentionNames),
});

export const OWN_SECTION_NAMES = [...Object.keys(SECTIONS), 'scoreFacts'] as const;
