import { Module } from '@nestjs/common';
import { OwnActs } from './own-acts.js';

@Module({ providers: [OwnActs], exports: [OwnActs] })
export class ActsModule {}
