import { Module } from '@nestjs/common';
import { WaysInModule } from '../invitations/invitations.module.js';
import { SeedDemo } from './seed-demo.js';

@Module({ imports: [WaysInModule], providers: [SeedDemo], exports: [SeedDemo] })
export class DemoModule {}
