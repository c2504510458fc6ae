import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  type AnyAggregate,
  type CaseFacts,
  DomainError,
  moderationDecider,
  type ModerationEvent,
  type ModerationState,
  attachedPictures,
  type SeenCase,
  weightAt,
} from '@nimo/domain';
import {
  type CaseSummary,
  type CaseView,
  type DecisionView,
  findAuthorRecord,
  findAuthorsByIds,
  findCaseSummary,
  findLeaderboardScore,
  findModerationCase,
  findPersonOfSpace,
  listAuthorDecisions,
  listCaseDecisions,
  listCaseReports,
  listVoteDays,
  type ModeratorScope,
} from '@nimo/projections';
import { Pool } from 'pg';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { type Clock, CLOCK } from '../../platform/config/tokens.js';
import { PictureAccess } from '../uploads/picture-access.js';
import { blockingOf, NOT_STAFF } from '../user-detail/blockable.js';
import type { CaseAuthorRecord, CaseDecision, DecisionEnum, ModerationCase } from './moderation.types.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../platform/commands/domain-streams.js';
import { PostLocator } from '../posts/post-locator.js';
import { postFacts, removalAggregates } from '../posts/post-facts.js';

/** Limits moderators to cases of their spaces, excluding their own posts and reports. */
@Injectable()
export class ModerationAccess {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError CASE_NOT_FOUND also for an existing case that the viewer may not see */
  async requireCase(viewer: Viewer, postId: string): Promise<CaseSummary> {
    const summary = await findCaseSummary(this.pool, postId);
    const isVisible =
      summary &&
      hasRole(viewer, 'MODERATOR', summary.spaceId) &&
      summary.authorId !== viewer.studentId &&
      !summary.reporterIds.includes(viewer.studentId);
    if (!isVisible) throw new DomainError('CASE_NOT_FOUND');
    return summary;
  }

  /** @throws DomainError FORBIDDEN unless the viewer moderates the space */
  scopeOf(viewer: Viewer, spaceId: string | null): ModeratorScope {
    if (spaceId !== null && !hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const spaces = spaceId === null ? moderatedSpaces(viewer) : [spaceId];
    return { moderatorId: viewer.studentId, spaces };
  }
}

/** Assembles a case and its context from the read models. */
@Injectable()
export class ModerationCases {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly pictures: PictureAccess,
  ) {}

  /** The caller checks access. */
  async read(viewer: Viewer, postId: string): Promise<ModerationCase> {
    const view = await findModerationCase(this.pool, postId);
    if (!view) throw new DomainError('CASE_NOT_FOUND');
    const [reports, decisions, voteDays, [author, assignee], record] = await Promise.all([
      listCaseReports(this.pool, view),
      listCaseDecisions(this.pool, postId),
      listVoteDays(this.pool, postId),
      findAuthorsByIds(this.pool, [view.authorId, view.assigneeId ?? '']),
      this.readAuthorRecord(viewer, view),
    ]);
    const { postId: _id, rank, reports: all, authorId: _, assigneeId: __, ...shown } = view;
    return {
      _id,
      ...shown,
      // Comments are plain text and must not be treated as HTML.
      body: isPost(view) ? this.pictures.signBody(view.body, 'staff') : view.body,
      imageUrls: attachedPictures(view.body, view.imageUrls).map((url) => this.pictures.forStaff(url)),
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

  private async readAuthorRecord(
    viewer: Viewer,
    { authorId, spaceId, postId }: CaseView,
  ): Promise<CaseAuthorRecord> {
    const author = { authorId, spaceId };
    const [record, decisions, person, score] = await Promise.all([
      findAuthorRecord(this.pool, author),
      listAuthorDecisions(this.pool, { ...author, exceptPostId: postId }),
      findPersonOfSpace(this.pool, { studentId: authorId, spaceId }),
      findLeaderboardScore(this.pool, { spaceId, studentId: authorId, viewerId: viewer.studentId }),
    ]);
    return {
      ...record,
      score: score?.score ?? 0,
      questionsAsked: score?.questionsAsked ?? 0,
      questionsAnswered: score?.questionsAnswered ?? 0,
      joinedAt: person?.joinedAt ?? null,
      decisions: decisions.map(decisionOf),
      ...((person && blockingOf(viewer, person, spaceId)) ?? NOT_STAFF),
    };
  }
}

const isPost = ({ postType }: CaseView): boolean => postType === 'QUESTION' || postType === 'ANSWER';

const decisionOf = ({ decision, ...view }: DecisionView): CaseDecision => ({
  ...view,
  // The projection writes no other values.
  decision: decision as keyof typeof DecisionEnum,
});

interface CaseRuling {
  readonly summary: CaseSummary;
  readonly seen: SeenCase;
  /** Additional aggregates to load. */
  readonly reads?: readonly AnyAggregate[];
  readonly decide: (
    facts: CaseFacts,
    state: ModerationState,
    streams: DomainStreams,
  ) => readonly ModerationEvent[];
}

/** Runs decisions on a case. Refuses a decision if a concurrent one won or a report has arrived since the moderator saw the case. */
@Injectable()
export class CaseDecisions {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
    private readonly pool: Pool,
  ) {}

  async run(context: CommandContext, decision: CaseRuling): Promise<void> {
    try {
      await this.append(context, decision);
    } catch (error) {
      throw error instanceof DomainError ? await this.withModeratorName(error) : error;
    }
  }

  private async append(context: CommandContext, { summary, seen, reads = [], decide }: CaseRuling) {
    const { postType, postId } = summary;
    const post = await this.posts.find(postType, postId);
    if (!post) throw new DomainError('POST_NOT_FOUND');
    const moderation = aggregate(moderationDecider, postId);
    await this.commands.run(context, {
      on: moderation,
      reads: [...removalAggregates(post), ...reads],
      decide: (state, loaded) => {
        const facts: CaseFacts = {
          actor: context.by,
          post: postFacts(loaded, post),
          openReports: state.openReporterIds.length,
          isReporter: state.reporterIds.includes(context.by.studentId),
          decidedAt: loaded.lastEventTime(moderation, (type) => type !== 'PostReported'),
          seen,
        };
        return decide(facts, state, loaded);
      },
      visibleIn: ['moderation', 'questions'],
    });
  }

  /** Replaces the moderator ID in the error by the user name. */
  private async withModeratorName(error: DomainError): Promise<DomainError> {
    const { moderator } = error.params;
    if (error.code !== 'CASE_ALREADY_DECIDED' || typeof moderator !== 'string') return error;
    const [person] = await findAuthorsByIds(this.pool, [moderator]);
    return new DomainError(error.code, { ...error.params, moderator: person?.userName ?? '' });
  }
}
