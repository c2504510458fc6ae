import { Module } from '@nestjs/common';
import { PostLocator } from './post-locator.js';
import { ReadBack } from './read-back.js';

@Module({ providers: [PostLocator, ReadBack], exports: [PostLocator, ReadBack] })
export class PostsModule {}
