import { Global, Module } from '@nestjs/common';
import { ClientAddresses } from './client-address.js';
import { PublicAddress } from './public-address.js';

@Global()
@Module({ providers: [PublicAddress, ClientAddresses], exports: [PublicAddress, ClientAddresses] })
export class WebModule {}
