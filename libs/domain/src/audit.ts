import type { PostRef, ReportedPostType, VoteDirection } from './event-parts.js';

/**
 * `VOTE` and `REPORT` are what students do to posts; `ACT` is what is done by an office, or takes something away; `READ` is that somebody of an
 * office looked at what others do not see.
 */
export type AuditClass = 'VOTE' | 'REPORT' | 'ACT' | 'READ';

/** What one line of the history is about; what the metadata tells is added by the fold. */
export interface AuditLine {
  /** Null: an act that is not of one space. */
  readonly spaceId: string | null;
  readonly postType: ReportedPostType | null;
  readonly postId: string | null;
  readonly questionId: string | null;
  /** Whose post it is, or whom the act is about. */
  readonly receiverId: string | null;
  /** Who voted or reported: also where a moderator invalidates the vote. */
  readonly voterId: string | null;
  readonly voterIsStandIn: boolean;
  readonly direction: VoteDirection | null;
  readonly reason: string | null;
  readonly round: number | null;
  readonly caseId: string | null;
  /** A name of no person, for reading: of a role, a topic, a newspost. */
  readonly about: string | null;
}

const NOTHING: AuditLine = {
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

export const lineOf = (told: Partial<AuditLine>): AuditLine => ({ ...NOTHING, ...told });

export interface Audited<Data> {
  readonly class: AuditClass;
  /** One or more lines; none where this very event is a student's own act. */
  readonly lines: (data: Data) => readonly AuditLine[];
  /** Of no line does its receiver learn, whatever office they hold. */
  readonly notForReceiver?: true;
}
export interface NotAudited {
  readonly class: null;
  readonly because: string;
}

export const oneLine =
  <Data>(tell: (data: Data) => Partial<AuditLine>) =>
  (data: Data): readonly AuditLine[] => [lineOf(tell(data))];
/** In the audit as an act, of one line. */
export const act = <Data>(tell: (data: Data) => Partial<AuditLine>) =>
  ({ class: 'ACT', lines: oneLine(tell) }) as const;
export const notAudited = (because: string): NotAudited => ({ class: null, because });

export const OWN_ACT = notAudited('own act of a student');
export const PART_OF_AN_ERASURE = notAudited('part of the erasure of its author, which is told');
export const BOOKKEEPING = notAudited('kept by the product itself; nobody decides it');

export const placeOf = ({
  postType,
  postId,
  questionId,
  spaceId,
  postAuthorId,
}: PostRef): Partial<AuditLine> => ({ postType, postId, questionId, spaceId, receiverId: postAuthorId });
