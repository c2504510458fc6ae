import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  confirmedContacts,
  CONTACT_CODE_TTL_MINUTES,
  DomainError,
  isCarried,
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

@ObjectType({ description: 'Two codes are on their way.' })
export class StartedContactChange {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'The new contact, abridged.' }) readonly sentTo!: string;
  @Field(() => String, {
    nullable: true,
    description: "The account's own contact that got a code, abridged; null where it has none.",
  })
  readonly ownSentTo!: string | null;
  @Field(() => String) readonly expiresAt!: string;
}

const SHOWN_DIGITS = 4;

/** Enough to recognise it, and not to learn it: `…3210`, `m…@example.org`. */
function shownContact({ kind, value }: Contact): string {
  if (kind === 'phone') return `…${value.slice(-SHOWN_DIGITS)}`;
  const at = value.lastIndexOf('@');
  return `${value.slice(0, 1)}…${value.slice(at)}`;
}

interface AskedChange {
  readonly viewer: Viewer;
  readonly client: ClientKey;
  readonly contact: Contact;
  readonly password: string;
  /** Which of the account's own contacts gets a code; null: the one of the same kind, or else the other one. */
  readonly via: ContactKind | null;
  readonly proof: string | null;
}

/** Sends the two codes. More than five dependencies: it asks for much, and sends by two ways. */
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

  async start(asked: AskedChange): Promise<StartedContactChange> {
    const { viewer, client } = asked;
    await this.owners.requireOwner(viewer, asked.password, client);
    const contact = requireContact(asked.contact);
    const student = await this.accounts.findById(viewer.studentId);
    if (!student?.registered) throw new DomainError('NOT_REGISTERED');
    if (isCarried(contact, student)) throw new DomainError('CONTACT_UNCHANGED');
    const own = ownContactOf(student, contact.kind, asked.via);
    const tries = await this.takeLimits(asked, contact, own);
    await this.requireFree(contact);
    const begun = await this.changes.begin(student.studentId, contact, { tries, asksOwn: own !== undefined });
    await this.sendToNew(contact, begun.newCode, student);
    if (own && begun.ownCode !== null) await this.sendToOwn(own, begun.ownCode, contact, student);
    const { id, expiresAt } = begun;
    return { _id: id, sentTo: shownContact(contact), ownSentTo: own ? shownContact(own) : null, expiresAt };
  }

  /** Before anything is told of the new contact: an answer counts as a code does. @returns how many tries the codes bear */
  private async takeLimits(
    { client, viewer, proof }: AskedChange,
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

  /** Of a number it is told as in the sign-up; of an address never: its mailbox learns it. */
  private async requireFree(contact: Contact): Promise<void> {
    if (contact.kind === 'phone' && (await this.accounts.find(contact))?.registered)
      throw new DomainError('USER_EXISTS');
  }

  private async sendToNew({ kind, value }: Contact, code: string, student: Student): Promise<void> {
    if (kind === 'email') {
      const userName = student.profile?.userName ?? '';
      return this.mails.add({ kind: 'new-address', email: value, code, userName });
    }
    const duration = { unit: 'minutes', count: CONTACT_CODE_TTL_MINUTES } as const;
    const text = smsText(currentLanguage() ?? 'en', 'newNumber', { code, duration });
    await this.sms.send({ phone: value, text }, randomUUID());
  }

  private async sendToOwn(own: Contact, code: string, contact: Contact, student: Student): Promise<void> {
    const to = shownContact(contact);
    if (own.kind === 'email') {
      const userName = student.profile?.userName ?? '';
      return this.mails.add({ kind: 'own-contact', email: own.value, code, userName, to });
    }
    const text = smsText(currentLanguage() ?? 'en', 'confirmChange', { code, contact: to });
    await this.sms.send({ phone: own.value, text }, randomUUID());
  }
}

/** Who lost the former phone asks the address, and the other way round. */
function ownContactOf(student: Student, kind: ContactKind, via: ContactKind | null): Contact | undefined {
  const confirmed = confirmedContacts(student);
  const asked = confirmed.find((contact) => contact.kind === (via ?? kind));
  if (via !== null && !asked) throw new DomainError('CONTACT_NOT_CONFIRMED');
  return asked ?? confirmed[0];
}
