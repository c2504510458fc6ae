import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { PicturesModule } from '../uploads/uploads.module.js';
import { AnswersResolver } from './answers.resolver.js';
import { DeleteAnswerHandler, EditAnswerHandler, PostAnswerHandler } from './commands/answers.js';

@Module({
  imports: [PicturesModule, PostsModule],
  providers: [AnswersResolver, PostAnswerHandler, EditAnswerHandler, DeleteAnswerHandler],
})
export class AnswersModule {}
