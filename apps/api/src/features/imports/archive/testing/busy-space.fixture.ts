import { randomUUID } from 'node:crypto';
import {
  caseStream,
  currentSchemaVersion,
  type DomainEvent,
  type EventMetadata,
  membershipStream,
  mention,
  questionStream,
  studentStream,
} from '@nimo/domain';
import { EventHistory } from '@nimo/projections/testing';
import type { Runtime } from '../../../../platform/runtime/runtime.js';

/** Key of the only picture. */
export const PICTURE_KEY = `${randomUUID()}.webp`;

export interface BusySpace {
  readonly past: EventHistory;
  readonly spaceId: string;
  /** A nearly empty second space. */
  readonly otherSpaceId: string;
  readonly erasedName: string;
  /** Texts that no export may contain. */
  readonly hidden: readonly string[];
  /** Expected row types of the exported dump: posts in order, votes sorted. */
  readonly dump: { readonly posts: readonly string[]; readonly votes: readonly string[] };
  /** Erases a student. Call last, because it destroys the key. */
  erase(runtime: Runtime): Promise<void>;
}

const ERASED_NAME = 'Forgotten_Person';
const NOTE = 'She told me at the door';

/** A space with every kind of content, built through the domain's deciders. */
export function busySpace(): BusySpace {
  const past = new CurrentPast();
  const [ann, bob, cem] = ['ann', 'bob', 'cem'].map((userName) =>
    past.newStudent({ userName, firstName: userName }),
  ) as [string, string, string];
  const gone = past.newStudent({ userName: ERASED_NAME, firstName: ERASED_NAME });
  const standIn = past.newStandIn();
  const moderator = past.newModerator();
  const spaceId = past.newSpace({ name: 'French', entry: 'OPEN', publicPages: true });
  const otherSpaceId = past.newSpace({ name: 'Algebra' });
  for (const student of [ann, bob, cem, gone, standIn]) past.join(student, spaceId);
  past.join(ann, otherSpaceId);
  const place = past.newTopic(spaceId, past.newSubject(spaceId, 'Grammar'), 'Accents');
  const elsewhere = past.newTopic(otherSpaceId, past.newSubject(otherSpaceId), 'Rings');
  past.renameTopic(place, 'Accents');

  const first = past.ask(ann, place, { title: 'Where does the accent go?' });
  past.editQuestion(first, 'Where does the accent go now?');
  const [answer, better] = [past.answer(bob, first), past.answer(gone, first, '<p>On the last one.</p>')];
  past.editAnswer(answer, '<p>On the first one.</p>');
  past.accept(answer);
  past.comment(cem, answer, `Thanks ${mention(bob)}`);
  past.deleteComment(past.comment(gone, first, 'I take this back'));
  past.vote(bob, first, 'UP');
  past.vote(cem, first, 'DOWN');
  past.vote(gone, answer, 'UP');
  past.vote(standIn, answer, 'UP');
  past.vote(ann, better, 'UP');
  past.vote(cem, better, 'UP');
  past.vote(cem, better, 'UP');
  past.vote(cem, answer, 'DOWN');
  past.vote(cem, answer, 'UP');
  past.save(cem, first);
  past.save(bob, first);
  past.unsave(bob, first);

  const second = past.ask(gone, place, { title: 'Who was that?' });
  past.vote(bob, second, 'UP');
  past.invalidate(moderator, [past.voteData(bob, second, 'UP')]);
  const third = past.ask(bob, place, { title: 'Buy this' });
  for (const reporter of [ann, cem, gone]) past.report(reporter, third);
  past.uphold(moderator, third);
  past.deleteQuestion(past.ask(cem, place, { title: 'My own secret', body: '<p>never mind</p>' }));
  const shown = past.ask(cem, place, { title: 'What is this?' });
  past.append(questionStream(shown), {
    type: 'QuestionEdited',
    data: {
      ...{ questionId: shown, spaceId, authorId: cem, title: 'What is this picture?' },
      body: `<p><img src="/media/${PICTURE_KEY}" alt="a square" /></p>`,
      imageUrls: [`/media/${PICTURE_KEY}`],
    },
  });
  past.leave(cem, spaceId);
  // A vote case across two spaces, and data that must stay private.
  const algebra = past.ask(ann, elsewhere, { title: 'Only in the other space' });
  past.join(bob, otherSpaceId);
  past.vote(bob, algebra, 'UP');
  const both = past.invalidate(moderator, [
    past.voteData(ann, better, 'UP'),
    past.voteData(bob, algebra, 'UP'),
  ]);
  past.reverse(both);
  past.append(membershipStream(spaceId, bob), {
    type: 'MemberSuspended',
    data: { spaceId, studentId: bob, reason: NOTE, rank: 'MODERATOR' },
  });
  const caseId = randomUUID();
  past.append(caseStream(caseId), {
    type: 'VotesInvalidated',
    data: {
      ...{ caseId, moderatorId: moderator, category: 'OTHER', reason: NOTE },
      votes: [past.voteData(standIn, answer, 'UP')],
    },
  });

  return {
    past,
    spaceId,
    otherSpaceId,
    erasedName: ERASED_NAME,
    hidden: [
      NOTE,
      'A ring',
      '919876543210',
      'Only in the other space',
      'My own secret',
      'never mind',
      algebra,
    ],
    dump: { posts: ['1', '2', '2', '1', '1'], votes: ['1', '2', '2', '2', '2', '3', '5'] },
    async erase({ store, studentKeys }) {
      const streamId = studentStream(gone);
      const revision = (await store.readStream(streamId)).length - 1;
      await store.append([{ streamId, expectedRevision: revision, events: [erasureEvent(gone)] }]);
      await studentKeys.destroy(gone);
    },
  };
}

const erasureEvent = (studentId: string) => {
  const at = '2026-01-09T08:00:00.000Z';
  const commandId = randomUUID();
  const metadata: EventMetadata = {
    ...{ occurredAt: at, recordedAt: at, actor: { kind: 'system' } },
    ...{ commandId, correlationId: commandId, causationId: commandId },
    schemaVersion: currentSchemaVersion('StudentErased'),
  };
  return { id: randomUUID(), type: 'StudentErased', data: { studentId, withWords: false }, metadata };
};

/** Records events with their current schema version. */
class CurrentPast extends EventHistory {
  override append(streamId: string, ...events: readonly DomainEvent[]): void {
    const from = this.events.length;
    super.append(streamId, ...events);
    for (const [index, event] of this.events.slice(from).entries())
      this.events[from + index] = {
        ...event,
        metadata: { ...event.metadata, schemaVersion: currentSchemaVersion(event.type) },
      };
  }
}
