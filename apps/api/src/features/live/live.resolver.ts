import { Args, Field, Float, ID, ObjectType, Resolver, Subscription } from '@nestjs/graphql';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { deprecated } from '../schema/interfaces.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { readerOf } from '../spaces/spaces.resolver.js';
import { onlyWhile } from './live-topics.js';
import { QuestionUpdates, type LiveQuestion } from './question-updates.js';

@ObjectType({
  description: 'Something about an open question changed: read it again. Says neither who nor what.',
})
class QuestionUpdate {
  @Field(() => ID) readonly questionId!: string;
  @Field(() => Float, {
    description:
      'Rises from update to update while one listens; says nothing else, and is no place in the log.',
  })
  readonly sequence!: number;
  @Field(() => Float, {
    deprecationReason: deprecated(
      '2026-11-25',
      '2027-11-25',
      'Ask for `sequence`, its other name: it is not the ordinal of the log.',
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
    return onlyWhile(await this.updates.of(questionId), ({ mayFollow }) => mayFollow(reader));
  }
}
