import { Module } from '@nestjs/common';
import { ModerationModule } from '../moderation/moderation.module.js';
import { WarnMemberHandler } from './commands/warn-member.js';
import { WarningsResolver } from './warnings.resolver.js';

@Module({ imports: [ModerationModule], providers: [WarningsResolver, WarnMemberHandler] })
export class WarningsModule {}
