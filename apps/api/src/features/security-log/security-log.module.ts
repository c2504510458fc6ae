import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SecurityLogResolver } from './security-log.resolver.js';

@Module({ imports: [AccountsModule], providers: [SecurityLogResolver] })
export class SecurityLogModule {}
