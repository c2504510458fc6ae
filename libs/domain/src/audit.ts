import type { PostRef, ReportedPostType, VoteDirection } from './event-parts.js';

/** `VOTE` and `REPORT`: by students, on posts. `ACT`: staff actions and deletions. `READ`: staff viewed confidential data. */
export type AuditClass = 'VOTE' | 'REPORT' | 'ACT' | 'READ';

/** Subject of one line of the audit. The projection adds actor and time from the metadata. */
export interface AuditLine {
  /** Null if the action does not belong to one space. */
  readonly spaceId: string | null;
  readonly postType: ReportedPostType | null;
  readonly postId: string | null;
  readonly questionId: string | null;
  /** Author of the post, or the student the action is about. */
  readonly receiverId: string | null;
  /** Voter or reporter, also when a moderator invalidates the vote. */
  readonly voterId: string | null;
  readonly voterIsStandIn: boolean;
  readonly direction: VoteDirection | null;
  readonly reason: string | null;
  readonly round: number | null;
  readonly caseId: string | null;
  /** Display name of a role, topic, newspost or the like. Never names a person. */
  readonly about: string | null;
}

const EMPTY_LINE: AuditLine = {
  spaceId: null,
  postType: null,
  postId: null,
  questionId: null,
  receiverId: null,
  voterId: null,
  voterIsStandIn: false,
  direction: null,
  reason: null,
  round: null,
  caseId: null,
  about: null,
};

export const auditLine = (fields: Partial<AuditLine>): AuditLine => ({ ...EMPTY_LINE, ...fields });

export interface Audited<Data> {
  readonly class: AuditClass;
  /** None if this particular event is a student's own action. */
  readonly lines: (data: Data) => readonly AuditLine[];
  /** Hidden from the receiver, whatever their role. */
  readonly notForReceiver?: true;
}
export interface NotAudited {
  readonly class: null;
  readonly because: string;
}

export const singleLine =
  <Data>(fieldsOf: (data: Data) => Partial<AuditLine>) =>
  (data: Data): readonly AuditLine[] => [auditLine(fieldsOf(data))];
/** Audited as an action with one line. */
export const auditedAction = <Data>(fieldsOf: (data: Data) => Partial<AuditLine>) =>
  ({ class: 'ACT', lines: singleLine(fieldsOf) }) as const;
export const notAudited = (because: string): NotAudited => ({ class: null, because });

export const OWN_ACTION = notAudited('own action of a student');
export const PART_OF_ERASURE = notAudited('part of an erasure, which is audited itself');
export const BOOKKEEPING = notAudited('internal bookkeeping, not a decision');

/** Audit fields of a post. */
export const postFields = ({
  postType,
  postId,
  questionId,
  spaceId,
  postAuthorId,
}: PostRef): Partial<AuditLine> => ({ postType, postId, questionId, spaceId, receiverId: postAuthorId });
