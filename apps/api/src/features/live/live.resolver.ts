import { Args, Field, Float, ID, ObjectType, Resolver, Subscription } from '@nestjs/graphql';
import { Public } from '../../platform/auth/access.js';
import { IdPipe } from '../../platform/graphql/id.pipe.js';
import { QuestionUpdates, type LiveQuestion } from './question-updates.js';

@ObjectType({
  description: 'Something about an open question changed: read it again. Says neither who nor what.',
})
class QuestionUpdate {
  @Field(() => ID) readonly questionId!: string;
  @Field(() => Float) readonly ordinal!: number;
}

@Resolver()
export class LiveResolver {
  constructor(private readonly updates: QuestionUpdates) {}

  @Public()
  @Subscription(() => QuestionUpdate)
  questionUpdated(
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): AsyncIterableIterator<LiveQuestion> {
    return this.updates.of(questionId);
  }
}
