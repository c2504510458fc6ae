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
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
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

const SEAL_CONTEXT = 'account-mail-job';

/**
 * Counts an email against the limits of its recipient, registered or not. The limiter stores a keyed hash (`HashedThrottles`).
 * @throws when a limit is reached
 */
export async function countMailTo(limiter: RateLimiter, email: string): Promise<void> {
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

/** A queued email. Whether the address belongs to an account is looked up by the worker. */
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
      /** Verifies an address that an account wants to add. The address may belong to another account. */
      readonly kind: 'new-address';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
    }
  | {
      /** Confirms a contact change from the account's confirmed address. `to`: the new contact, masked. */
      readonly kind: 'own-contact';
      readonly email: string;
      readonly code: string;
      readonly userName: string;
      readonly to: string;
    }
  | {
      /** `email`: the previous address, or another confirmed one. */
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

/** `language` is the caller's, or null if no request caused the email. */
type AccountMailJob = AccountMailRequest & { readonly language: Language | null };

/**
 * Queues account emails. Requests never look up the address, so neither the response nor its timing reveals whether it is registered.
 */
@Injectable()
export class AccountMailJobs {
  constructor(
    @Inject(JOBS) private readonly queues: JobQueues,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @param jobId deduplicates: an email with the same ID is sent once */
  async add(request: AccountMailRequest, jobId: string = randomUUID()): Promise<void> {
    const job: AccountMailJob = { ...request, language: currentLanguage() ?? null };
    const sealed = sealText(this.settings.masterKey, JSON.stringify(job), SEAL_CONTEXT);
    await this.queues.add('accountMail', { sealed }, jobId);
  }

  /** Consumes the queue. Runs in the worker. */
  async work(perform: (job: AccountMailJob) => Promise<void>): Promise<void> {
    await this.queues.work('accountMail', ({ sealed }) =>
      perform(JSON.parse(openText(decryptionKeys(this.settings), sealed, SEAL_CONTEXT)) as AccountMailJob),
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

/** Sends queued account emails. Looks up who owns the address and picks the text. */
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
    await this.jobs.work((job) => this.process(job));
  }

  private async process(job: AccountMailJob): Promise<void> {
    switch (job.kind) {
      case 'second-factor':
        return this.sendSecondFactorNotice(job);
      case 'password-changed':
        return this.sendPasswordChangedNotice(job);
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
        return this.sendRegistrationEmail(job, await this.ownerOf(job.email));
      case 'new-address':
        return this.sendNewAddressCode(job, await this.ownerOf(job.email));
      case 'reset':
        return this.sendResetLink(job, await this.ownerOf(job.email));
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
  private async sendNewAddressCode(job: Job<'new-address'>, owner: Student | undefined): Promise<void> {
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

  private async sendRegistrationEmail(job: Job<'registration'>, student: Student | undefined): Promise<void> {
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
    // An unfinished sign-up continues as the same student.
    const studentId = student?.studentId ?? randomUUID();
    const token = await this.links.create('CONFIRM_EMAIL', {
      studentId,
      content: { email, userName, registrationId },
    });
    const link = linkTo(origin, 'register', token);
    const values = { userName, link, duration: hours(CONFIRM_LINK_TTL_MINUTES) };
    return this.send(email, mailText(language, 'confirmEmail', values));
  }

  private async sendSecondFactorNotice(job: Job<'second-factor'>): Promise<void> {
    const { studentId, change } = job;
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    const language = await this.languageOf(job);
    return this.send(student.email, secondFactorMail(language, student.profile.userName, change));
  }

  /** The owner of a lost phone, or of a number that was reassigned, learns about the change. */
  private async sendPasswordChangedNotice(job: Job<'password-changed'>): Promise<void> {
    const student = await this.accounts.findById(job.studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    const values = { userName: student.profile.userName, reset: `${job.origin}/forgot-password` };
    return this.send(student.email, mailText(await this.languageOf(job), 'passwordChanged', values));
  }

  /** Mails the confirmed address, not the one typed in the request. */
  private async sendResetLink(job: Job<'reset'>, student: Student | undefined): Promise<void> {
    if (!student?.profile || !student.emailConfirmed || student.email === null) return;
    const { studentId, profile, email } = student;
    const token = await withOrigin(job.clientOrigin, () =>
      this.links.create('RESET_PASSWORD', { studentId, content: {} }),
    );
    const link = linkTo(job.origin, 'forgot-password', token);
    const values = { userName: profile.userName, link, duration: hours(RESET_LINK_TTL_MINUTES) };
    return this.send(email, mailText(await this.languageOf(job), 'resetPassword', values));
  }
}

/** No links, so that users do not learn to follow links in security emails. */
function secondFactorMail(language: Language, userName: string, change: FactorChange): Omit<Mail, 'to'> {
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
