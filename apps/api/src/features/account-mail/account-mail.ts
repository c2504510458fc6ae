import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIRM_LINK_TTL_MINUTES,
  CONTACT_CODE_TTL_MINUTES,
  type ContactKind,
  GUARDIAN_LINK_TTL_DAYS,
  mailboxKey,
  RESET_LINK_TTL_MINUTES,
  type Student,
} from '@nimo/domain';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { JOBS, MAIL } from '../../platform/adapters/tokens.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { type ClientOrigin, currentLanguage, withOrigin } from '../../platform/callers/client-address.js';
import type { Language } from '../../platform/texts/language.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Mail, MailSender } from '../../platform/adapters/mail/mail-sender.js';
import { MAIL_SENDS } from '../../platform/rate-limit/limits.js';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../accounts/accounts.js';
import { mailText } from '../../platform/texts/texts.js';
import { MailedLinks } from './mailed-links.js';

const BOUND_TO = 'account-mail-job';

/** Counts a mail to that address, known or not. */
export async function countMailTo(limiter: RateLimiter, email: string): Promise<void> {
  // What is stored is a keyed hash (`HashedThrottles`).
  for (const limit of MAIL_SENDS) await limiter.useExactly(limit, mailboxKey(email));
}

/** A change to an account's second factor. */
export type FactorChange =
  | { readonly kind: 'added' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'recovery-code'; readonly left: number }
  | { readonly kind: 'reset'; readonly reason: string };

/** The result of a request to join a space, or of a guardian's consent. */
export type EntryOutcome = 'joined' | 'may join' | 'refused';

/** A mail that a request or an event calls for. Whether anybody has the address is looked up by the worker. */
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
  | { readonly kind: 'second-factor'; readonly studentId: string; readonly change: FactorChange }
  | {
      /** An account wants to use this address, which may already be in use. */
      readonly kind: 'new-address';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
    }
  | {
      /** Asks a confirmed address whether its account may change to `to`, which is abridged. */
      readonly kind: 'own-contact';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
      readonly to: string;
    }
  | {
      /** `email`: the former address, or another one of the account. */
      readonly kind: 'contact-changed';
      readonly studentId: string;
      readonly email: string;
      readonly userName: string;
      readonly contact: ContactKind;
    }
  | {
      readonly kind: 'entry-answered';
      readonly studentId: string;
      readonly email: string;
      readonly userName: string;
      readonly spaceName: string;
      readonly outcome: EntryOutcome;
    }
  | {
      readonly kind: 'guardian';
      readonly email: string;
      readonly token: string;
      readonly userName: string;
      readonly spaceName: string;
      readonly age: number;
      readonly origin: string;
    }
  | { readonly kind: 'password-changed'; readonly studentId: string; readonly origin: string };

/** A request with the caller's language; null if an event called for the mail. */
type AccountMailJob = AccountMailRequest & { readonly language: Language | null };

/**
 * Seals requests into jobs without looking up the address, so that neither the answer nor its timing reveals whether anybody has it.
 */
@Injectable()
export class AccountMailJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @param jobId of the event that calls for the mail: a job of the same id is added once */
  async add(request: AccountMailRequest, jobId: string = randomUUID()): Promise<void> {
    const job: AccountMailJob = { ...request, language: currentLanguage() ?? null };
    const sealed = sealText(this.settings.masterKey, JSON.stringify(job), BOUND_TO);
    await this.queues.add('accountMail', { sealed }, jobId);
  }

  /** In the worker. */
  async work(perform: (job: AccountMailJob) => Promise<void>): Promise<void> {
    await this.queues.work('accountMail', ({ sealed }) =>
      perform(JSON.parse(openText(masterKeysOf(this.settings), sealed, BOUND_TO)) as AccountMailJob),
    );
  }
}

type Job<Kind extends AccountMailRequest['kind']> = Extract<AccountMailJob, { kind: Kind }>;

const ENTRY_MAILS = { joined: 'entryJoined', 'may join': 'entryMayJoin', refused: 'entryRefused' } as const;
const CONTACT_MAILS = { phone: 'phoneChanged', email: 'emailChanged' } as const;

const minutes = (count: number) => ({ unit: 'minutes', count }) as const;
const hours = (inMinutes: number) => ({ unit: 'hours', count: inMinutes / 60 }) as const;
const days = (count: number) => ({ unit: 'days', count }) as const;

// Browsers send nothing after the # to a server, so tokens appear in no log.
const linkTo = (origin: string, path: string, token: string): string => `${origin}/${path}#${token}`;

/** Sends the mails, in the worker. */
@Injectable()
export class AccountMail {
  constructor(
    private readonly jobs: AccountMailJobs,
    private readonly accounts: Accounts,
    private readonly links: MailedLinks,
    private readonly sessions: SessionStore,
    @Inject(MAIL) private readonly mail: MailSender,
  ) {}

  async work(): Promise<void> {
    await this.jobs.work((job) => this.answer(job));
  }

  private async answer(job: AccountMailJob): Promise<void> {
    switch (job.kind) {
      case 'second-factor':
        return this.mailFactorChange(job);
      case 'password-changed':
        return this.mailPasswordChange(job);
      case 'own-contact': {
        const { email, userName, code, to } = job;
        const values = { userName, code, contact: to, duration: minutes(CONTACT_CODE_TTL_MINUTES) };
        return this.send(email, mailText(await this.languageOf(job), 'confirmChange', values));
      }
      case 'contact-changed':
        return this.send(
          job.email,
          mailText(await this.languageOf(job), CONTACT_MAILS[job.contact], { userName: job.userName }),
        );
      case 'entry-answered': {
        const { email, userName, spaceName, outcome } = job;
        return this.send(
          email,
          mailText(await this.languageOf(job), ENTRY_MAILS[outcome], { userName, spaceName }),
        );
      }
      case 'guardian': {
        const { email, origin, token, userName, spaceName, age } = job;
        const link = linkTo(origin, 'consent', token);
        const values = { userName, spaceName, age, link, duration: days(GUARDIAN_LINK_TTL_DAYS) };
        return this.send(email, mailText(await this.languageOf(job), 'guardianConsent', values));
      }
      case 'registration':
        return this.answerRegistration(job, await this.ownerOf(job.email));
      case 'new-address':
        return this.answerNewAddress(job, await this.ownerOf(job.email));
      case 'reset':
        return this.answerReset(job, await this.ownerOf(job.email));
    }
  }

  private send(to: string, text: Omit<Mail, 'to'>): Promise<void> {
    return this.mail.send({ to, ...text });
  }

  /** The caller's language, or the one the student chose last. */
  private async languageOf(job: AccountMailJob): Promise<Language> {
    const chosen = 'studentId' in job ? await this.sessions.languageOf(job.studentId) : undefined;
    return job.language ?? chosen ?? 'en';
  }

  private ownerOf(email: string): Promise<Student | undefined> {
    return this.accounts.find({ kind: 'email', value: email });
  }

  /** The owner of an address in use gets a notice instead of the code. */
  private async answerNewAddress(job: Job<'new-address'>, owner: Student | undefined): Promise<void> {
    const language = await this.languageOf(job);
    if (owner?.profile)
      return this.send(
        owner.email ?? job.email,
        mailText(language, 'addressTaken', { userName: owner.profile.userName }),
      );
    const { userName, code } = job;
    const values = { userName, code, duration: minutes(CONTACT_CODE_TTL_MINUTES) };
    return this.send(job.email, mailText(language, 'newAddress', values));
  }

  private async answerRegistration(job: Job<'registration'>, student: Student | undefined): Promise<void> {
    const { email, userName, origin, registrationId } = job;
    const language = await this.languageOf(job);
    if (student?.profile) {
      const values = {
        userName: student.profile.userName,
        login: `${origin}/login`,
        reset: `${origin}/forgot-password`,
      };
      return this.send(student.email ?? email, mailText(language, 'alreadyRegistered', values));
    }
    // A student who came by another sign-in and did not finish keeps the id.
    const studentId = student?.studentId ?? randomUUID();
    const token = await this.links.make('CONFIRM_EMAIL', {
      studentId,
      content: { email, userName, registrationId },
    });
    const link = linkTo(origin, 'register', token);
    const values = { userName, link, duration: hours(CONFIRM_LINK_TTL_MINUTES) };
    return this.send(email, mailText(language, 'confirmEmail', values));
  }

  private async mailFactorChange(job: Job<'second-factor'>): Promise<void> {
    const { studentId, change } = job;
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    const language = await this.languageOf(job);
    return this.send(student.email, factorMail(language, student.profile.userName, change));
  }

  /** The owner of a lost phone, or of a number that was reassigned, learns about the change. */
  private async mailPasswordChange(job: Job<'password-changed'>): Promise<void> {
    const student = await this.accounts.findById(job.studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    const values = { userName: student.profile.userName, reset: `${job.origin}/forgot-password` };
    return this.send(student.email, mailText(await this.languageOf(job), 'passwordChanged', values));
  }

  /** Mails the confirmed address, not the one typed in the request. */
  private async answerReset(job: Job<'reset'>, student: Student | undefined): Promise<void> {
    if (!student?.profile || !student.emailConfirmed || student.email === null) return;
    const { studentId, profile, email } = student;
    const token = await withOrigin(job.clientOrigin, () =>
      this.links.make('RESET_PASSWORD', { studentId, content: {} }),
    );
    const link = linkTo(job.origin, 'forgot-password', token);
    const values = { userName: profile.userName, link, duration: hours(RESET_LINK_TTL_MINUTES) };
    return this.send(email, mailText(await this.languageOf(job), 'resetPassword', values));
  }
}

/** Without a link: nobody should learn to follow one in such a mail. */
function factorMail(language: Language, userName: string, change: FactorChange): Omit<Mail, 'to'> {
  switch (change.kind) {
    case 'added':
      return mailText(language, 'secondFactorAdded', { userName });
    case 'removed':
      return mailText(language, 'secondFactorRemoved', { userName });
    case 'recovery-code':
      return mailText(language, 'recoveryCodeUsed', { userName, left: change.left });
    case 'reset':
      return mailText(language, 'secondFactorReset', { userName, reason: change.reason });
  }
}
