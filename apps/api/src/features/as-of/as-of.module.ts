import { Module } from '@nestjs/common';
import { AsOfPoints } from './as-of-points.js';
import { AsOfResolver } from './as-of.resolver.js';

@Module({ providers: [AsOfPoints, AsOfResolver] })
export class AsOfModule {}
