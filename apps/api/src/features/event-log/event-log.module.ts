import { Module } from '@nestjs/common';
import { EventLogResolver } from './event-log.resolver.js';
import { LogReader } from './log-reader.js';

@Module({ providers: [LogReader, EventLogResolver] })
export class EventLogModule {}
