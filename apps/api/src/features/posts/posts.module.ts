import { Module } from '@nestjs/common';
import { PostLocator } from './post-locator.js';

@Module({ providers: [PostLocator], exports: [PostLocator] })
export class PostsModule {}
