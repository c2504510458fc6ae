import { Module } from '@nestjs/common';
import { SpacesModule } from '../spaces/spaces.module.js';
import { UserDetailResolver } from './user-detail.resolver.js';

@Module({ imports: [SpacesModule], providers: [UserDetailResolver] })
export class UserDetailModule {}
