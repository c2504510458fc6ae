import { Module } from '@nestjs/common';
import { InvitationsCoreModule } from '../invitations/invitations.module.js';
import { SeedDemo } from './seed-demo.js';

@Module({ imports: [InvitationsCoreModule], providers: [SeedDemo], exports: [SeedDemo] })
export class DemoModule {}
