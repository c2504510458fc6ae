import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ContactKind } from '@nimo/domain';
import type { JobQueues } from '../../adapters/jobs/job-queues.js';
import { JOBS } from '../../adapters/tokens.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-value.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import type { ClientOrigin } from '../../platform/web/client-address.js';

const BOUND_TO = 'account-mail-job';

/** What is told of the second factor of an account. */
export type FactorNews =
  | { readonly kind: 'added' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'recovery-code'; readonly left: number }
  | { readonly kind: 'reset'; readonly reason: string };

/** What became of a request to join a space, or of a guardian's consent. */
export type EntryOutcome = 'joined' | 'may join' | 'refused';

/** What somebody asked for in the name of an address; whether anybody has it is found out by the worker. */
export type AccountMailRequest =
  | {
      readonly kind: 'registration';
      readonly email: string;
      readonly userName: string;
      readonly origin: string;
      readonly registrationId: string;
    }
  | {
      readonly kind: 'reset';
      readonly email: string;
      readonly origin: string;
      readonly clientOrigin: ClientOrigin;
    }
  | { readonly kind: 'second-factor'; readonly studentId: string; readonly news: FactorNews }
  | {
      /** An account wants to use this address, which may be somebody's. */
      readonly kind: 'new-address';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
    }
  | {
      /** A proved address is asked whether its account may change to what `to` abridges. */
      readonly kind: 'own-contact';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
      readonly to: string;
    }
  | {
      /** `email`: the former one, or another one of the account. */
      readonly kind: 'contact-changed';
      readonly email: string;
      readonly userName: string;
      readonly contact: ContactKind;
    }
  | {
      readonly kind: 'entry-answered';
      readonly email: string;
      readonly userName: string;
      readonly spaceName: string;
      readonly outcome: EntryOutcome;
    }
  | {
      /** Somebody is named as the guardian of a student. */
      readonly kind: 'guardian';
      readonly email: string;
      readonly token: string;
      readonly userName: string;
      readonly spaceName: string;
      readonly age: number;
      readonly origin: string;
    }
  | { readonly kind: 'password-changed'; readonly studentId: string; readonly origin: string };

/**
 * The request does not look whether an address is known: it seals what was asked into a job and answers. So neither its words nor
 * its time can tell.
 */
@Injectable()
export class AccountMailJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @param jobId of the event that wants it: the same mail is not sent twice */
  async add(request: AccountMailRequest, jobId: string = randomUUID()): Promise<void> {
    const sealed = sealText(this.settings.masterKey, JSON.stringify(request), BOUND_TO);
    await this.queues.add('accountMail', { sealed }, jobId);
  }

  /** In the worker. */
  async work(perform: (request: AccountMailRequest) => Promise<void>): Promise<void> {
    await this.queues.work('accountMail', ({ sealed }) =>
      perform(JSON.parse(openText(masterKeysOf(this.settings), sealed, BOUND_TO)) as AccountMailRequest),
    );
  }
}
