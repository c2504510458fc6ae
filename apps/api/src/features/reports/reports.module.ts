import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { ReportPostHandler } from './commands/report-post.js';
import { ReportsResolver } from './reports.resolver.js';

@Module({ imports: [PostsModule], providers: [ReportsResolver, ReportPostHandler] })
export class ReportsModule {}
