import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { ClientAddresses } from './client-address.js';
import { PublicAddress } from './public-address.js';
import { WhenceInterceptor } from './whence.interceptor.js';

@Global()
@Module({
  providers: [PublicAddress, ClientAddresses, { provide: APP_INTERCEPTOR, useClass: WhenceInterceptor }],
  exports: [PublicAddress, ClientAddresses],
})
export class WebModule {}
