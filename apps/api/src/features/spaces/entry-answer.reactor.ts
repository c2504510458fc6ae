import { Inject, Injectable } from '@nestjs/common';
import { aggregate, confirmedContacts, spaceDecider } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { AccountMailJobs, type EntryOutcome } from '../account-mail/account-mail.js';
import { Accounts } from '../accounts/accounts.js';

type Answered = 'EntryRequestAccepted' | 'EntryRequestRefused' | 'GuardianConsented';

/**
 * Mails students the answer to their entry request, because notifications require membership. Students without a confirmed email
 * address see the answer on the spaces page.
 */
@Injectable()
export class EntryAnswerReactor implements Reactor<Answered> {
  readonly name = 'entry-news';
  readonly startsAt = 'head';
  readonly types = ['EntryRequestAccepted', 'EntryRequestRefused', 'GuardianConsented'] as const;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly accounts: Accounts,
    private readonly mails: AccountMailJobs,
  ) {}

  async handle(event: ReactorEvent<Answered>, jobId: string): Promise<void> {
    const { studentId, spaceId } = event.data;
    const student = await this.accounts.findById(studentId);
    const email = student && confirmedContacts(student).find(({ kind }) => kind === 'email')?.value;
    if (email === undefined || !student?.profile) return;
    const space = await this.commands.state(aggregate(spaceDecider, spaceId));
    if (!space) return;
    const { userName } = student.profile;
    const outcome = await this.outcomeOf(event);
    const spaceName = space.name;
    await this.mails.add({ kind: 'entry-answered', studentId, email, userName, spaceName, outcome }, jobId);
  }

  private async outcomeOf({ type, id, streamId }: ReactorEvent<Answered>): Promise<EntryOutcome> {
    if (type === 'EntryRequestRefused') return 'refused';
    if (type === 'GuardianConsented') return 'may join';
    // The same append shows whether the student joined or first needs a guardian's consent.
    const events = await this.store.readStream(streamId);
    const next = events[events.findIndex((event) => event.id === id) + 1];
    return next?.type === 'SpaceJoined' ? 'joined' : 'may join';
  }
}
