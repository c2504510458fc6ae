import { Module } from '@nestjs/common';
import { AcceptTermsHandler } from './commands/accept-terms.js';
import { TermsResolver } from './terms.resolver.js';

@Module({ providers: [TermsResolver, AcceptTermsHandler] })
export class TermsModule {}
