import { Field, ID, ObjectType } from '@nestjs/graphql';
import { Answer } from '../answers/answer.type.js';
import { Question } from '../questions/question.type.js';

@ObjectType()
export class QuestionVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Question, {
    nullable: true,
    description:
      'As the caller sees it after the vote. Null while the read side has not got there (`extensions.stale`).',
  })
  readonly question!: Question | null;
}

@ObjectType()
export class AnswerVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Answer, {
    nullable: true,
    description:
      'As the caller sees it after the vote. Null while the read side has not got there (`extensions.stale`).',
  })
  readonly answer!: Answer | null;
}
