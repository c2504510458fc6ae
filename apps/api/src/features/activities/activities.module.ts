import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { ActivitiesResolver } from './activities.resolver.js';

@Module({ imports: [SpacesModule], providers: [ActivitiesResolver] })
export class ActivitiesModule {}
