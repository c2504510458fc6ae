import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  confirmedContacts,
  CONTACT_CODE_TTL_MINUTES,
  DomainError,
  hasVerifiedContact,
  MAX_OTP_ATTEMPTS,
  requireContact,
  type Contact,
  type ContactKind,
  type Student,
} from '@nimo/domain';
import { SmsJobs } from '../../platform/adapters/sms/sms-sender.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { smsText } from '../../platform/texts/texts.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { AccountMailJobs, countMailTo } from '../account-mail/account-mail.js';
import { SendLimits } from '../otp/code-limits.js';
import { FactorSetUp } from '../second-factor/factor-set-up.js';
import { Accounts } from '../accounts/accounts.js';
import { ContactChanges } from './contact-changes.js';
import { Field, ID, ObjectType } from '@nestjs/graphql';
import { type ClientKey, currentLanguage } from '../../platform/callers/client-address.js';

@ObjectType({ description: 'A contact change waiting for its codes.' })
export class StartedContactChange {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'The new contact, masked.' }) readonly sentTo!: string;
  @Field(() => String, {
    nullable: true,
    description: 'The account’s own contact that received a code, masked. Null if it has none.',
  })
  readonly ownSentTo!: string | null;
  @Field(() => String) readonly expiresAt!: string;
}

const VISIBLE_DIGITS = 4;

/** Masks a contact so that its owner recognises it: `…3210`, `m…@example.org`. */
function maskContact({ kind, value }: Contact): string {
  if (kind === 'phone') return `…${value.slice(-VISIBLE_DIGITS)}`;
  const at = value.lastIndexOf('@');
  return `${value.slice(0, 1)}…${value.slice(at)}`;
}

interface ContactChangeRequest {
  readonly viewer: Viewer;
  readonly client: ClientKey;
  readonly contact: Contact;
  readonly password: string;
  /** The own contact that receives a code. Null: the one of the same kind if confirmed, otherwise the other. */
  readonly via: ContactKind | null;
  readonly proof: string | null;
}

/** Starts a contact change: checks the owner and the limits, then sends the two codes. */
@Injectable()
export class ContactChangeStart {
  constructor(
    private readonly owners: FactorSetUp,
    private readonly accounts: Accounts,
    private readonly changes: ContactChanges,
    private readonly limiter: RateLimiter,
    private readonly sendLimits: SendLimits,
    private readonly sms: SmsJobs,
    private readonly mails: AccountMailJobs,
  ) {}

  async start(request: ContactChangeRequest): Promise<StartedContactChange> {
    const { viewer, client } = request;
    await this.owners.requireOwner(viewer, request.password, client);
    const contact = requireContact(request.contact);
    const student = await this.accounts.findById(viewer.studentId);
    if (!student?.registered) throw new DomainError('NOT_REGISTERED');
    if (hasVerifiedContact(contact, student)) throw new DomainError('CONTACT_UNCHANGED');
    const own = ownContactOf(student, contact.kind, request.via);
    const tries = await this.takeLimits(request, contact, own);
    await this.requireUnusedPhone(contact);
    const started = await this.changes.start(student.studentId, contact, {
      tries,
      needsOwnCode: own !== undefined,
    });
    await this.sendCodeToNewContact(contact, started.newCode, student);
    if (own && started.ownCode !== null)
      await this.sendCodeToOwnContact(own, started.ownCode, contact, student);
    const { id, expiresAt } = started;
    return { _id: id, sentTo: maskContact(contact), ownSentTo: own ? maskContact(own) : null, expiresAt };
  }

  /** Takes the limits before revealing anything about the new contact. @returns the number of attempts allowed per code */
  private async takeLimits(
    { client, viewer, proof }: ContactChangeRequest,
    contact: Contact,
    own: Contact | undefined,
  ): Promise<number> {
    await this.limiter.use('lookUpsPerAddress', client);
    const tries = [await this.takeLimit(contact, { studentId: undefined, client, proof })];
    if (own) tries.push(await this.takeLimit(own, { studentId: viewer.studentId, client, proof: null }));
    return Math.min(...tries);
  }

  private async takeLimit(
    { kind, value }: Contact,
    by: { readonly studentId: string | undefined; readonly client: ClientKey; readonly proof: string | null },
  ): Promise<number> {
    if (kind === 'phone') return this.sendLimits.take({ phone: value, ...by });
    await this.limiter.use('mailsPerAddress', by.client);
    await countMailTo(this.limiter, value);
    return MAX_OTP_ATTEMPTS;
  }

  /** Reveals a taken number, as sign-up does, but never a taken address: only its mailbox is notified. */
  private async requireUnusedPhone(contact: Contact): Promise<void> {
    if (contact.kind === 'phone' && (await this.accounts.find(contact))?.registered)
      throw new DomainError('USER_EXISTS');
  }

  private async sendCodeToNewContact(
    { kind, value }: Contact,
    code: string,
    student: Student,
  ): Promise<void> {
    if (kind === 'email') {
      const userName = student.profile?.userName ?? '';
      return this.mails.add({ kind: 'new-address', email: value, code, userName });
    }
    const duration = { unit: 'minutes', count: CONTACT_CODE_TTL_MINUTES } as const;
    const text = smsText(currentLanguage(), 'newNumber', { code, duration });
    await this.sms.send({ phone: value, text }, randomUUID());
  }

  private async sendCodeToOwnContact(
    own: Contact,
    code: string,
    contact: Contact,
    student: Student,
  ): Promise<void> {
    const to = maskContact(contact);
    if (own.kind === 'email') {
      const userName = student.profile?.userName ?? '';
      return this.mails.add({ kind: 'own-contact', email: own.value, code, userName, to });
    }
    const text = smsText(currentLanguage(), 'confirmChange', { code, contact: to });
    await this.sms.send({ phone: own.value, text }, randomUUID());
  }
}

/** Users who lost their phone can confirm by email, and vice versa. */
function ownContactOf(student: Student, kind: ContactKind, via: ContactKind | null): Contact | undefined {
  const confirmed = confirmedContacts(student);
  const requested = confirmed.find((contact) => contact.kind === (via ?? kind));
  if (via !== null && !requested) throw new DomainError('CONTACT_NOT_CONFIRMED');
  return requested ?? confirmed[0];
}
