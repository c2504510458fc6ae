import { Module } from '@nestjs/common';
import { AvatarsResolver } from './avatars.resolver.js';

@Module({ providers: [AvatarsResolver] })
export class StudentsModule {}
