import { Inject, Injectable } from '@nestjs/common';
import { confirmedContacts, fold, studentDecider, type ContactKind, type StudentEvent } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { SmsJobs } from '../../platform/adapters/sms/sms-sender.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { AccountMailJobs } from '../account-mail/account-mail.js';
import { smsText } from '../../platform/texts/texts.js';

type HandledType = 'StudentPhoneChanged' | 'StudentEmailChanged';

const KINDS: Readonly<Record<HandledType, ContactKind>> = {
  StudentPhoneChanged: 'phone',
  StudentEmailChanged: 'email',
};

/** Notifies the previous contact of a change, or the other one if there was none, so that owners notice takeovers. */
@Injectable()
export class ContactChangeNoticeReactor implements Reactor<HandledType> {
  readonly name = 'contact-news';
  readonly startsAt = 'head';
  readonly types = ['StudentPhoneChanged', 'StudentEmailChanged'] as const;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly sms: SmsJobs,
    private readonly mails: AccountMailJobs,
    private readonly sessions: SessionStore,
  ) {}

  async handle(event: ReactorEvent<HandledType>, jobId: string): Promise<void> {
    const kind = KINDS[event.type];
    const events = await this.store.readStream(event.streamId);
    const before = events.slice(
      0,
      events.findIndex(({ id }) => id === event.id),
    );
    // A student stream contains only student events.
    const student = fold(studentDecider, before as unknown as readonly StudentEvent[], undefined);
    if (!student?.profile) return;
    const contacts = confirmedContacts(student);
    const recipient = contacts.find((contact) => contact.kind === kind) ?? contacts[0];
    if (!recipient) return;
    const { studentId } = student;
    const { userName } = student.profile;
    if (recipient.kind === 'email')
      return this.mails.add(
        { kind: 'contact-changed', studentId, email: recipient.value, userName, contact: kind },
        jobId,
      );
    const language = (await this.sessions.languageOf(studentId)) ?? 'en';
    const text = smsText(language, `${kind}Changed`, { userName });
    await this.sms.send({ phone: recipient.value, text }, jobId);
  }
}
