import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AcceptAnswerHandler } from './commands/accept-answer.js';
import { AskQuestionHandler } from './commands/ask-question.js';
import { DeleteQuestionHandler, EditQuestionHandler } from './commands/edit-question.js';
import { QuestionListsResolver } from './question-lists.resolver.js';
import { QuestionsResolver } from './questions.resolver.js';

@Module({
  imports: [PicturesModule, PostsModule, SpacesModule],
  providers: [
    QuestionsResolver,
    QuestionListsResolver,
    AskQuestionHandler,
    EditQuestionHandler,
    DeleteQuestionHandler,
    AcceptAnswerHandler,
  ],
})
export class QuestionsModule {}
