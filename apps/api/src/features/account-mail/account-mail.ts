import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type ContactKind, mailboxKey, type Student } from '@nimo/domain';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { JOBS, MAIL } from '../../platform/adapters/tokens.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { type ClientOrigin, withOrigin } from '../../platform/callers/client-address.js';
import type { MailSender } from '../../platform/adapters/mail/mail-sender.js';
import { MAIL_SENDS } from '../../platform/rate-limit/limits.js';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../accounts/accounts.js';
import {
  addressTakenLetter,
  alreadyRegisteredLetter,
  confirmationLetter,
  contactChangedLetter,
  entryLetter,
  guardianLetter,
  newAddressLetter,
  newPasswordLetter,
  ownContactLetter,
  resetLetter,
  secondFactorLetter,
  type FactorNews,
  type EntryOutcome,
} from './email-templates.js';
import { MailedLinks } from './mailed-links.js';

const BOUND_TO = 'account-mail-job';

/** Counts a mail to that address, known or not. */
export async function countMailTo(limiter: RateLimiter, email: string): Promise<void> {
  // What is stored is a keyed hash (`HashedThrottles`).
  for (const limit of MAIL_SENDS) await limiter.useExactly(limit, mailboxKey(email));
}

/** What somebody asked for in the name of an address; whether anybody has it is found out by the worker. */
type AccountMailRequest =
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

type RegistrationRequest = Extract<AccountMailRequest, { kind: 'registration' }>;
type NewAddress = Extract<AccountMailRequest, { kind: 'new-address' }>;
type FactorRequest = Extract<AccountMailRequest, { kind: 'second-factor' }>;
type PasswordChanged = Extract<AccountMailRequest, { kind: 'password-changed' }>;
type ResetRequest = Extract<AccountMailRequest, { kind: 'reset' }>;

/** The worker's half: looks whose address it is and writes the mail that fits. */
@Injectable()
export class AccountMail {
  constructor(
    private readonly jobs: AccountMailJobs,
    private readonly accounts: Accounts,
    private readonly links: MailedLinks,
    @Inject(MAIL) private readonly mail: MailSender,
  ) {}

  async work(): Promise<void> {
    await this.jobs.work((request) => this.answer(request));
  }

  private async answer(request: AccountMailRequest): Promise<void> {
    switch (request.kind) {
      case 'second-factor':
        return this.tellOfFactor(request);
      case 'password-changed':
        return this.tellOfNewPassword(request);
      case 'own-contact':
        return this.mail.send({ to: request.email, ...ownContactLetter(request) });
      case 'contact-changed':
        return this.mail.send({ to: request.email, ...contactChangedLetter(request) });
      case 'entry-answered':
        return this.mail.send({ to: request.email, ...entryLetter(request) });
      case 'guardian':
        return this.mail.send({ to: request.email, ...guardianLetter(request) });
      case 'registration':
        return this.answerRegistration(request, await this.ownerOf(request.email));
      case 'new-address':
        return this.answerNewAddress(request, await this.ownerOf(request.email));
      case 'reset':
        return this.answerReset(request, await this.ownerOf(request.email));
    }
  }

  private ownerOf(email: string): Promise<Student | undefined> {
    return this.accounts.find({ kind: 'email', value: email });
  }

  /** Whose address it is already learns of it, and gets no code. */
  private async answerNewAddress(request: NewAddress, owner: Student | undefined): Promise<void> {
    const letter = owner?.profile ? addressTakenLetter(owner.profile.userName) : newAddressLetter(request);
    await this.mail.send({ to: owner?.profile ? (owner.email ?? request.email) : request.email, ...letter });
  }

  private async answerRegistration(
    { email, userName, origin, registrationId }: RegistrationRequest,
    student: Student | undefined,
  ): Promise<void> {
    if (student?.profile) {
      await this.mail.send({
        to: student.email ?? email,
        ...alreadyRegisteredLetter(origin, student.profile.userName),
      });
      return;
    }
    // Somebody who came by another sign-in and did not finish goes on as the same student.
    const studentId = student?.studentId ?? randomUUID();
    const token = await this.links.make('CONFIRM_EMAIL', {
      studentId,
      content: { email, userName, registrationId },
    });
    await this.mail.send({ to: email, ...confirmationLetter(origin, token, userName) });
  }

  private async tellOfFactor({ studentId, news }: FactorRequest): Promise<void> {
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    await this.mail.send({ to: student.email, ...secondFactorLetter(student.profile.userName, news) });
  }

  /** So that whoever lost the phone, or its number, learns what was done with it. */
  private async tellOfNewPassword({ studentId, origin }: PasswordChanged): Promise<void> {
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    await this.mail.send({ to: student.email, ...newPasswordLetter(origin, student.profile.userName) });
  }

  /** To the address as it was proved, not as somebody typed it now. */
  private async answerReset(
    { origin, clientOrigin }: ResetRequest,
    student: Student | undefined,
  ): Promise<void> {
    if (!student?.profile || !student.emailConfirmed || student.email === null) return;
    const { studentId, profile, email } = student;
    const token = await withOrigin(clientOrigin, () =>
      this.links.make('RESET_PASSWORD', { studentId, content: {} }),
    );
    await this.mail.send({ to: email, ...resetLetter(origin, token, profile.userName) });
  }
}
