import { Inject, Injectable } from '@nestjs/common';
import { DomainError, picturesBeside, weightAt } from '@nimo/domain';
import {
  findAuthorRecord,
  findAuthorsByIds,
  findLeaderboardScore,
  findModerationCase,
  findPersonOfSpace,
  listAuthorDecisions,
  listCaseDecisions,
  listCaseReports,
  listVoteDays,
  type CaseView,
  type DecisionView,
} from '@nimo/projections';
import { Pool } from 'pg';
import type { Viewer } from '../../platform/auth/viewer.js';
import { CLOCK, type Clock } from '../../platform/runtime/tokens.js';
import { PictureAccess } from '../uploads/picture-access.js';
import { blockingOf } from '../user-detail/blockable.js';
import type { CaseAuthorRecord, CaseDecision, DecisionEnum, ModerationCase } from './moderation.types.js';

/** A case with all that a moderator decides by, gathered from the read models. */
@Injectable()
export class ModerationCases {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly pictures: PictureAccess,
  ) {}

  /** Who may see it has been asked before. */
  async read(viewer: Viewer, postId: string): Promise<ModerationCase> {
    const view = await findModerationCase(this.pool, postId);
    if (!view) throw new DomainError('CASE_NOT_FOUND');
    const [reports, decisions, voteDays, [author, assignee], record] = await Promise.all([
      listCaseReports(this.pool, view),
      listCaseDecisions(this.pool, postId),
      listVoteDays(this.pool, postId),
      findAuthorsByIds(this.pool, [view.authorId, view.assigneeId ?? '']),
      this.recordOf(viewer, view),
    ]);
    const { postId: _id, rank, reports: all, authorId: _, assigneeId: __, round: ___, ...shown } = view;
    return {
      _id,
      ...shown,
      // A comment is plain text, whatever it looks like.
      body: isPost(view) ? this.pictures.inBody(view.body, 'staff') : view.body,
      imageUrls: picturesBeside(view.body, view.imageUrls).map((url) => this.pictures.forStaff(url)),
      weight: rank === null ? null : weightAt(rank, this.clock().toISOString()),
      author: author ?? null,
      assignee: assignee ?? null,
      reports,
      reportsTotal: all.length,
      decisions: decisions.map(decisionOf),
      record,
      voteDays,
    };
  }

  private async recordOf(viewer: Viewer, { authorId, spaceId, postId }: CaseView): Promise<CaseAuthorRecord> {
    const author = { authorId, spaceId };
    const [record, decisions, person, score] = await Promise.all([
      findAuthorRecord(this.pool, author),
      listAuthorDecisions(this.pool, { ...author, exceptPostId: postId }),
      findPersonOfSpace(this.pool, { studentId: authorId, spaceId }),
      findLeaderboardScore(this.pool, { spaceId, studentId: authorId, viewerId: viewer.studentId }),
    ]);
    const blocking = person && blockingOf(viewer, person, spaceId);
    return {
      ...record,
      score: score?.score ?? 0,
      questionsAsked: score?.questionsAsked ?? 0,
      questionsAnswered: score?.questionsAnswered ?? 0,
      joinedAt: person?.joinedAt ?? null,
      decisions: decisions.map(decisionOf),
      accountStatus: blocking?.accountStatus ?? null,
      isBlockable: blocking?.isBlockable ?? false,
    };
  }
}

const isPost = ({ postType }: CaseView): boolean => postType === 'QUESTION' || postType === 'ANSWER';

const decisionOf = ({ decision, ...view }: DecisionView): CaseDecision => ({
  ...view,
  // The projection writes no other.
  decision: decision as keyof typeof DecisionEnum,
});
