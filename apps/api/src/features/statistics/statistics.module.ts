import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { StatisticsResolver } from './statistics.resolver.js';

@Module({ imports: [SpacesModule], providers: [StatisticsResolver] })
export class StatisticsModule {}
