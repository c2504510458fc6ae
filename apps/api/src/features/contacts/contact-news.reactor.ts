import { Inject, Injectable } from '@nestjs/common';
import { confirmedContacts, fold, studentDecider, type ContactKind, type StudentEvent } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { SmsJobs } from '../../platform/adapters/sms/sms-sender.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';

type Changed = 'StudentPhoneChanged' | 'StudentEmailChanged';

const KINDS: Readonly<Record<Changed, ContactKind>> = {
  StudentPhoneChanged: 'phone',
  StudentEmailChanged: 'email',
};

/** Tells the former contact, or the other one where there was none, so that a change by a stranger is noticed. */
@Injectable()
export class ContactNewsReactor implements Reactor<Changed> {
  readonly name = 'contact-news';
  readonly startsAt = 'head';
  readonly types = ['StudentPhoneChanged', 'StudentEmailChanged'] as const;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly sms: SmsJobs,
    private readonly mails: AccountMailJobs,
  ) {}

  async handle(event: ReactorEvent<Changed>, jobId: string): Promise<void> {
    const kind = KINDS[event.type];
    const events = await this.store.readStream(event.streamId);
    const before = events.slice(
      0,
      events.findIndex(({ id }) => id === event.id),
    );
    // A stream has events of its own kind alone.
    const student = fold(studentDecider, before as unknown as readonly StudentEvent[], undefined);
    if (!student?.profile) return;
    const contacts = confirmedContacts(student);
    const told = contacts.find((contact) => contact.kind === kind) ?? contacts[0];
    if (!told) return;
    const { userName } = student.profile;
    if (told.kind === 'email')
      return this.mails.add({ kind: 'contact-changed', email: told.value, userName, contact: kind }, jobId);
    const what = kind === 'phone' ? 'mobile number' : 'email address';
    const text = `The ${what} of your Nimo account ${userName} was changed. If that was not you, tell a maintainer at once.`;
    await this.sms.send({ phone: told.value, text }, jobId);
  }
}
