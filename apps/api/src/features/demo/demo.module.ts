import { Module } from '@nestjs/common';
import { SeedDemo } from './seed-demo.js';

@Module({ providers: [SeedDemo], exports: [SeedDemo] })
export class DemoModule {}
