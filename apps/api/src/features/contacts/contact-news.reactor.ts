import { Inject, Injectable } from '@nestjs/common';
import { confirmedContacts, fold, studentDecider, type ContactKind, type StudentEvent } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { SmsJobs } from '../../platform/adapters/sms/sms-sender.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { smsText } from '../../platform/texts/texts.js';

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
    private readonly sessions: SessionStore,
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
    const { studentId } = student;
    const { userName } = student.profile;
    if (told.kind === 'email')
      return this.mails.add(
        { kind: 'contact-changed', studentId, email: told.value, userName, contact: kind },
        jobId,
      );
    const language = (await this.sessions.languageOf(studentId)) ?? 'en';
    const text = smsText(language, `${kind}Changed`, { userName });
    await this.sms.send({ phone: told.value, text }, jobId);
  }
}
