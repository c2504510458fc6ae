import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Turns } from '../runtime/turns.js';
import { ClientAddresses } from './client-address.js';
import { PublicAddress } from './public-address.js';
import { WhenceInterceptor } from './whence.interceptor.js';

@Global()
@Module({
  providers: [
    PublicAddress,
    ClientAddresses,
    Turns,
    { provide: APP_INTERCEPTOR, useClass: WhenceInterceptor },
  ],
  exports: [PublicAddress, ClientAddresses, Turns],
})
export class WebModule {}
