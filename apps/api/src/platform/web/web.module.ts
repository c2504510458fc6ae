import { Global, Module } from '@nestjs/common';
import { PublicAddress } from './public-address.js';

@Global()
@Module({ providers: [PublicAddress], exports: [PublicAddress] })
export class WebModule {}
