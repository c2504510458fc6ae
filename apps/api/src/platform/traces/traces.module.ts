import { Global, Module } from '@nestjs/common';
import { ConfidentialReads } from './traces.js';
import { TracesCheck } from './traces.check.js';

@Global()
@Module({ providers: [ConfidentialReads, TracesCheck], exports: [ConfidentialReads] })
export class TracesModule {}
