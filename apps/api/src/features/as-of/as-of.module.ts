import { Module } from '@nestjs/common';
import { AsOfPoints } from './as-of.types.js';
import { AsOfResolver } from './as-of.resolver.js';

@Module({ providers: [AsOfPoints, AsOfResolver] })
export class AsOfModule {}
