import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { MembersResolver } from './members.resolver.js';

@Module({ imports: [SpacesModule], providers: [MembersResolver] })
export class MembersModule {}
