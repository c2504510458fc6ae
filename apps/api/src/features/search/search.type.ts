import { Field, ID, ObjectType } from '@nestjs/graphql';
import { Answer } from '../answers/answer.type.js';
import { Question } from '../questions/questions.resolver.js';

@ObjectType({ description: 'A piece of plain text; what the query found is a piece of its own.' })
export class TextPart {
  @Field(() => String) readonly text!: string;
  @Field(() => Boolean) readonly isMatch!: boolean;
}

@ObjectType()
export class QuestionHit {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Question) readonly question!: Question;
  @Field(() => [TextPart]) readonly title!: readonly TextPart[];
  @Field(() => [TextPart], {
    description:
      'Cut from the body around the first matches. Formulas and dollar signs are marked as in `Question.excerpt`.',
  })
  readonly excerpt!: readonly TextPart[];
}

const DEGRADED = 'The search engine is away: a simpler one answered.';

@ObjectType()
export class QuestionHits {
  @Field(() => [QuestionHit]) readonly hits!: readonly QuestionHit[];
  @Field(() => Boolean, { description: DEGRADED }) readonly degraded!: boolean;
}

@ObjectType()
export class AnswerHit {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Answer) readonly answer!: Answer;
  @Field(() => [TextPart], { description: "The question's title." }) readonly title!: readonly TextPart[];
  @Field(() => [TextPart], {
    description:
      'Cut from the body around the first matches. Formulas and dollar signs are marked as in `Question.excerpt`.',
  })
  readonly excerpt!: readonly TextPart[];
}

@ObjectType()
export class AnswerHits {
  @Field(() => [AnswerHit]) readonly hits!: readonly AnswerHit[];
  @Field(() => Boolean, { description: DEGRADED }) readonly degraded!: boolean;
}
