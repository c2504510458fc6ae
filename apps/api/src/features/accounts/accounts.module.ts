import { Module } from '@nestjs/common';
import { Accounts, SignInAccounts } from './accounts.js';
import { ClaimReconciler } from './claim-reconciler.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { UnfinishedSignUps } from './unfinished-sign-ups.js';

const PROVIDERS = [Accounts, SignInAccounts, Claims, ClaimsReactor, ClaimReconciler, UnfinishedSignUps];

/** Accounts and the unique user names, phones and email addresses that identify them. Sign-up and sign-in build on it. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class AccountsModule {}
