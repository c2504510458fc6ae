import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FRESH_VOTES, votesFrom, votesOn, type VotesView } from '@nimo/projections';
import type { GraphQLResolveInfo } from 'graphql';
import { commandOf } from '../../platform/commands/command-context.js';
import { OwnEvents, unawaited } from '../../platform/commands/own-events.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { asksFor, asksForNoMoreThan } from '../../platform/graphql/selection.js';
import { ReadBack } from '../posts/read-back.js';
import { ToggleVote, type Vote } from './commands/toggle-vote.js';

/** What is always told of a post that was voted on; the rest where it was asked for. */
export type VotedPost = VotesView & { readonly _id: string };

export interface CastVote<Field extends string> {
  readonly vote: Vote;
  readonly request: RequestContext;
  readonly info: GraphQLResolveInfo;
  /** Of the answer, in which the post is told. */
  readonly field: Field;
  /** The post as the read side has it. */
  readonly find: (postId: string, viewerId: string) => Promise<VotedPost | null>;
}

type VoteAnswer<Field extends string> = { readonly _id: string } & {
  readonly [F in Field]: VotedPost | null;
};

const VOTED: ReadonlySet<string> = new Set<keyof VotedPost>([
  '_id',
  'upvoteCount',
  'downvoteCount',
  'upvotedBy',
  'downvotedBy',
]);

@Injectable()
export class CastVotes {
  constructor(
    private readonly commands: CommandBus,
    private readonly ownEvents: OwnEvents,
    private readonly readBack: ReadBack,
  ) {}

  /** @returns what the mutation answers: the post as the voter sees it then, null where nobody asked for it or the answer is stale */
  async cast<Field extends string>(given: CastVote<Field>): Promise<VoteAnswer<Field>> {
    const { vote, field } = given;
    // The compiler takes a computed name for any name.
    return { _id: vote.postId, [field]: await this.postAfter(given) } as VoteAnswer<Field>;
  }

  private async postAfter({ vote, request, info, field, find }: CastVote<string>): Promise<VotedPost | null> {
    const context = commandOf(request, `vote:${vote.direction}`);
    const [{ postId }, { studentId }] = [vote, context.by];
    if (!asksFor(info, field)) {
      await this.commands.execute(new ToggleVote(context, vote));
      return null;
    }
    const done = await this.commands.execute(new ToggleVote(unawaited(context), vote));
    const rows = await this.ownEvents.rows(context, done, FRESH_VOTES, votesOn(postId, studentId));
    const readBack = () => this.readBack.of(context, vote, () => find(postId, studentId));
    if (!rows) return readBack();
    const votes = votesFrom(rows, studentId);
    if (asksForNoMoreThan(info, field, VOTED)) return { _id: postId, ...votes };
    const post = await find(postId, studentId);
    if (post) return { ...post, ...votes };
    // The read side may not have come to the post itself.
    await this.ownEvents.wait(context, done, FRESH_VOTES);
    return readBack();
  }
}
