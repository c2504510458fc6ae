import { Module } from '@nestjs/common';
import { SessionsResolver } from './sessions.resolver.js';

@Module({ providers: [SessionsResolver] })
export class SessionsModule {}
