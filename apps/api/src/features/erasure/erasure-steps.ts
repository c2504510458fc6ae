import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  answerDecider,
  commentDecider,
  eraseAnswerWords,
  eraseCommentWords,
  eraseQuestionWords,
  eraseRestored,
  eraseStudent,
  questionDecider,
  studentDecider,
  type Student,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { isLastMaintainer, picturesWithoutUse, projections } from '@nimo/projections';
import { dropFormerGenerations, ProjectionWaiter, stragglersBefore } from '@nimo/projection-engine';
import { Pool } from 'pg';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import type { MasterKeySettings } from '../../platform/personal-data/master-keys.js';
import { forgetGuardianMails } from '../guardians/guardian-links.js';
import { invitedHashes } from '../invitations/invitations.js';
import { StudentKeys } from '../../platform/personal-data/student-keys.js';
import { EVENT_STORE, SETTINGS, SHARED_CLOCK, type SharedClock } from '../../platform/config/tokens.js';
import { endExports } from '../own-data/own-exports.js';
import { Claims, type ClaimedValue, isHeldSomehow } from '../accounts/claims.js';
import { keyAt, locationOf, STORED_AT } from '../uploads/picture-access.js';
import { type Tombstone, Tombstones } from './tombstones.js';
import { systemContext } from '../../platform/commands/command-context.js';

/** What a step did, by kind: numbers alone. */
export type Counts = Readonly<Record<string, number>>;

/** It cannot be done yet, as something is behind: it is tried again. */
export class NotYetError extends Error {
  override readonly name = 'NotYetError';
}

const NAMES = projections.map(({ name }) => name);
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 200;

/** The steps of an erasure. Each may be done again, after whatever ended it; more than five dependencies, as they are everywhere. */
@Injectable()
export class ErasureSteps {
  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(FILES) private readonly files: FileStore,
    @Inject(SHARED_CLOCK) private readonly clock: SharedClock,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly sessions: SessionStore,
    private readonly keys: StudentKeys,
    private readonly waiter: ProjectionWaiter,
    private readonly tombstones: Tombstones,
    private readonly hasher: ClaimHasher,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** In their order: first the log says so, then nobody gets in, and the keys go when nothing needs them any more. */
  readonly all = {
    student: (id: string) => this.student(id),
    access: (id: string) => this.access(id),
    claims: (id: string) => this.releaseClaims(id),
    words: (id: string) => this.words(id),
    tombstone: (id: string) => this.tombstone(id),
    keys: (id: string) => this.destroyKeys(id),
    readSide: () => this.readSide(),
    pictures: (id: string) => this.pictures(id),
    generations: () => this.generations(),
    leftovers: (id: string) => this.access(id),
  } as const satisfies Readonly<Record<string, (studentId: string) => Promise<Counts>>>;

  /** @throws NotYetError where it may not be: withdrawn, or not due */
  private async student(studentId: string): Promise<Counts> {
    const now = (await this.clock()).toISOString();
    const isLast = await isLastMaintainer(this.pool, studentId);
    await this.commands.run(systemContext(), {
      on: aggregate(studentDecider, studentId),
      decide: (state) => eraseStudent({ now, isLastMaintainer: isLast }, state),
    });
    const { erased } = await this.stateOf(studentId);
    if (!erased) throw new NotYetError('it was withdrawn, is not due, or is of the last maintainer');
    return {};
  }

  /** @returns whether the student was there, and not erased */
  async restored({ studentId, withWords }: Tombstone): Promise<boolean> {
    const { events } = await this.commands.run(systemContext(), {
      on: aggregate(studentDecider, studentId),
      decide: (state) => eraseRestored({ withWords }, state),
    });
    return events.length > 0;
  }

  /** Sessions are told to other processes, which remember them for a moment. */
  private async access(studentId: string): Promise<Counts> {
    await this.sessions.endAllOf(studentId);
    const copies = await endExports(this.pool, this.files, studentId);
    await forgetGuardianMails(this.pool, this.settings, studentId);
    const { rows } = await this.pool.query<{ n: string }>('select state.forget_student($1) as n', [
      studentId,
    ]);
    return { rowsOfState: Number(rows[0]?.n ?? 0), copiesOfData: copies };
  }

  /** Whatever value the student ever gave, or reserved. */
  private async releaseClaims(studentId: string): Promise<Counts> {
    let count = 0;
    for (const claimed of await this.valuesOf(studentId)) {
      const seen = await this.claims.see(claimed);
      if (!isHeldSomehow(seen, studentId)) continue;
      await this.claims.release(systemContext(), seen, studentId);
      count += 1;
    }
    const claimed = await this.valuesOf(studentId);
    const invited = await this.forgetInvited(claimed);
    const recipients = claimed.flatMap(recipientOf);
    const { rowCount } = await this.pool.query(
      'delete from state.outbox where lower(recipient) = any($1::text[])',
      [recipients],
    );
    return { claims: count, sentMessages: rowCount ?? 0, invitedContacts: invited };
  }

  /** Lists of invitations that they still stand on. @returns on how many */
  private async forgetInvited(claimed: readonly ClaimedValue[]): Promise<number> {
    const hashes = claimed.flatMap(({ kind, value }) =>
      kind === 'username' ? [] : invitedHashes(this.hasher, { kind, value }),
    );
    const { rowCount } = await this.pool.query('delete from state.invited_contact where hash = any($1)', [
      hashes,
    ]);
    return rowCount ?? 0;
  }

  private async valuesOf(studentId: string): Promise<readonly ClaimedValue[]> {
    const events = await this.store.readStream(studentDecider.stream(studentId));
    const values = events.flatMap(({ data }): ClaimedValue[] =>
      [
        { kind: 'username' as const, value: data['userName'] },
        { kind: 'phone' as const, value: data['phone'] },
        { kind: 'email' as const, value: data['email'] },
      ].flatMap(({ kind, value }) => (typeof value === 'string' && value !== '' ? [{ kind, value }] : [])),
    );
    return [...new Map(values.map((claimed) => [`${claimed.kind} ${claimed.value}`, claimed])).values()];
  }

  /** Until no post of theirs has any: what was written a moment before they were shut out is seen by the next round. */
  private async words(studentId: string): Promise<Counts> {
    if (!(await this.isWithWords(studentId))) return {};
    for (;;) {
      await this.untilFolded(['questions']);
      const found = await this.postsOf(studentId, 'with words');
      if (found.length === 0) break;
      for (const post of found) await this.eraseWordsOf(post);
    }
    const posts = await this.postsOf(studentId, 'all');
    return { posts: posts.length };
  }

  private async postsOf(studentId: string, which: 'with words' | 'all'): Promise<readonly Post[]> {
    const { rows } = await this.pool.query<Post>(
      `select 'question' as kind, question_id as id from read.questions where author_id = $1 and ($2 or title <> '')
       union all select 'answer', answer_id from read.answers where author_id = $1 and ($2 or body <> '')
       union all select 'comment', comment_id from read.comments where author_id = $1 and ($2 or body <> '')`,
      [studentId, which === 'all'],
    );
    return rows;
  }

  private async eraseWordsOf({ kind, id }: Post): Promise<void> {
    const context = systemContext();
    switch (kind) {
      case 'question':
        await this.commands.run(context, {
          on: aggregate(questionDecider, id),
          decide: eraseQuestionWords,
        });
        return;
      case 'answer':
        await this.commands.run(context, {
          on: aggregate(answerDecider, id),
          decide: eraseAnswerWords,
        });
        return;
      case 'comment':
        await this.commands.run(context, { on: aggregate(commentDecider, id), decide: eraseCommentWords });
        return;
    }
  }

  /** Before the keys: a back-up of before that is restored finds it. */
  private async tombstone(studentId: string): Promise<Counts> {
    await this.tombstones.add({ studentId, withWords: await this.isWithWords(studentId) });
    return {};
  }

  private async destroyKeys(studentId: string): Promise<Counts> {
    const withWords = await this.isWithWords(studentId);
    await this.keys.destroy(studentId, withWords ? ['identity', 'words'] : ['identity']);
    return {};
  }

  private async readSide(): Promise<Counts> {
    await this.untilFolded(NAMES);
    return {};
  }

  /** All that was uploaded and that nothing shows any more: a picture in a post that stays is part of it. */
  private async pictures(studentId: string): Promise<Counts> {
    await this.untilFolded(['pictures', 'questions']);
    const { rows } = await this.pool.query<{ key: string }>(
      'select key from state.upload where student_id = $1',
      [studentId],
    );
    const unused = await picturesWithoutUse(
      this.pool,
      rows.map(({ key }) => locationOf(key)),
    );
    for (const key of unused.flatMap((location) => keyAt(location) ?? [])) {
      for (const place of Object.values(STORED_AT)) await this.files.remove(place(key));
      await this.pool.query('delete from state.upload where key = $1', [key]);
    }
    return { pictures: unused.length };
  }

  /** Those that were replaced are not kept up to date, and those that are built must have passed the end. */
  private async generations(): Promise<Counts> {
    const dropped = await dropFormerGenerations(this.pool, NAMES);
    const head = await this.store.head();
    // The end of the log as it is now: a busy one is never quite reached.
    const deadline = performance.now() + PATIENCE_MS;
    while (head !== undefined) {
      const behind = await stragglersBefore(this.pool, NAMES, head);
      if (behind.length === 0) break;
      if (performance.now() > deadline)
        throw new NotYetError(`not at the end of the log: ${behind.join(', ')}`);
      await delay(LOOK_EVERY_MS);
    }
    return { formerGenerations: dropped };
  }

  private async untilFolded(names: readonly string[]): Promise<void> {
    const head = await this.store.head();
    if (head === undefined) return;
    const { stale } = await this.waiter.waitFor([...names], head, PATIENCE_MS);
    if (stale) throw new NotYetError('the read side is behind the log');
  }

  private async isWithWords(studentId: string): Promise<boolean> {
    const events = await this.store.readStream(studentDecider.stream(studentId));
    return events.some(({ type, data }) => type === 'StudentErased' && data['withWords'] === true);
  }

  private async stateOf(studentId: string): Promise<Student> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    if (!student) throw new NotYetError('there is no such student');
    return student;
  }
}

/** As messages are addressed there. */
const recipientOf = ({ kind, value }: ClaimedValue): readonly string[] => {
  switch (kind) {
    case 'phone':
      return [`+${value}`];
    case 'email':
      return [value.toLowerCase()];
    case 'username':
      return [];
  }
};

interface Post {
  readonly kind: 'question' | 'answer' | 'comment';
  readonly id: string;
}
