import { Module } from '@nestjs/common';
import { Accounts, SignInAccounts } from './accounts.js';
import { CarriedValues } from './carried-values.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { UnfinishedSignUps } from './unfinished-sign-ups.js';

const PROVIDERS = [Accounts, SignInAccounts, Claims, ClaimsReactor, CarriedValues, UnfinishedSignUps];

/** Who has an account, and the names, phones and addresses by which it is found: below every way to sign up or in. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class AccountsModule {}
