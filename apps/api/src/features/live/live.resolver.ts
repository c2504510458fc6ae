import { Args, Field, Float, ID, ObjectType, Resolver, Subscription } from '@nestjs/graphql';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { deprecated } from '../schema/interfaces.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { readerOf } from '../spaces/spaces.resolver.js';
import { filterValues } from './live-topics.js';
import { QuestionUpdates, type LiveQuestion } from './question-updates.js';

@ObjectType({
  description:
    'Signals that a question changed and should be refetched. Does not reveal who changed it or how.',
})
class QuestionUpdate {
  @Field(() => ID) readonly questionId!: string;
  @Field(() => Float, {
    description: 'Increases with every update of a subscription. Not a position in the log.',
  })
  readonly sequence!: number;
  @Field(() => Float, {
    deprecationReason: deprecated(
      '2026-11-25',
      '2027-11-25',
      'Use `sequence`. This is not a position in the log.',
    ),
  })
  readonly ordinal!: number;
}

@Resolver()
export class LiveResolver {
  constructor(private readonly updates: QuestionUpdates) {}

  @Public()
  @Subscription(() => QuestionUpdate)
  async questionUpdated(
    @OptionalViewer() viewer: Viewer | null,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<AsyncIterableIterator<LiveQuestion>> {
    const reader = readerOf(viewer);
    return filterValues(await this.updates.subscribe(questionId), ({ mayFollow }) => mayFollow(reader));
  }
}
