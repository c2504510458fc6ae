import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { aggregate, eraseRestored, eraseStudent, studentDecider, type Student } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { isLastMaintainer, findUnusedPictures, projections } from '@nimo/projections';
import { dropFormerGenerations, generationsBehind } from '@nimo/projection-engine';
import { Pool } from 'pg';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import type { MasterKeySettings } from '../../platform/personal-data/master-keys.js';
import { pendingContacts } from '../contacts/contact-changes.js';
import { forgetGuardianMails } from '../guardians/guardian-links.js';
import { invitedHashes } from '../invitations/invitations.js';
import { StudentKeys } from '../../platform/personal-data/student-keys.js';
import { EVENT_STORE, SETTINGS, SHARED_CLOCK, type SharedClock } from '../../platform/config/tokens.js';
import { discardExports } from '../own-data/own-exports.js';
import { Claims, type ClaimedValue, isHeldUnderAnyKey } from '../accounts/claims.js';
import { keyAt, locationOf, STORAGE_PATHS } from '../uploads/picture-access.js';
import { PostWords, RetryLaterError } from './post-words.js';
import { type Tombstone, Tombstones } from './tombstones.js';
import { systemContext } from '../../platform/commands/command-context.js';

/** Number of items a step erased, by kind. */
export type Counts = Readonly<Record<string, number>>;

const PROJECTION_NAMES = projections.map(({ name }) => name);
const TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 200;

/** The steps of an erasure. Each is idempotent, so that an interrupted erasure can resume. */
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
    private readonly posts: PostWords,
    private readonly tombstones: Tombstones,
    private readonly hasher: ClaimHasher,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** In order: append the event, revoke access, and destroy the keys once nothing needs them. Names are stored in `state.erasure`. */
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

  /** @throws RetryLaterError if withdrawn, not due, or the last maintainer */
  private async student(studentId: string): Promise<Counts> {
    const now = (await this.clock()).toISOString();
    // Otherwise a maintainer erased just before would still count.
    await this.posts.waitForProjections(['students']);
    const isLast = await isLastMaintainer(this.pool, studentId);
    await this.commands.run(systemContext(), {
      on: aggregate(studentDecider, studentId),
      decide: (state) => eraseStudent({ now, isLastMaintainer: isLast }, state),
    });
    const { erased } = await this.stateOf(studentId);
    if (!erased) throw new RetryLaterError('withdrawn, not due, or the last maintainer');
    return {};
  }

  /** Marks a student from a restored backup as erased. @returns whether they existed and were not erased yet */
  async restored({ studentId, withWords }: Tombstone): Promise<boolean> {
    const { events } = await this.commands.run(systemContext(), {
      on: aggregate(studentDecider, studentId),
      decide: (state) => eraseRestored({ withWords }, state),
    });
    return events.length > 0;
  }

  /** Ends sessions everywhere (other processes cache them briefly) and deletes the student's rows of state. */
  private async access(studentId: string): Promise<Counts> {
    await this.sessions.endAll(studentId);
    const copies = await discardExports(this.pool, this.files, studentId);
    await forgetGuardianMails(this.pool, this.settings, studentId);
    await this.deleteMessagesTo(await pendingContacts(this.pool, this.settings, studentId));
    const { rows } = await this.pool.query<{ n: string }>('select state.forget_student($1) as n', [
      studentId,
    ]);
    return { rowsOfState: Number(rows[0]?.n ?? 0), copiesOfData: copies };
  }

  /** Releases the claims on every value the student ever had, and deletes messages and invitations sent to them. */
  private async releaseClaims(studentId: string): Promise<Counts> {
    let count = 0;
    for (const claimed of await this.valuesOf(studentId)) {
      const seen = await this.claims.read(claimed);
      if (!isHeldUnderAnyKey(seen, studentId)) continue;
      await this.claims.release(systemContext(), seen, studentId);
      count += 1;
    }
    const claimed = await this.valuesOf(studentId);
    const invited = await this.deleteInvitedContacts(claimed);
    return { claims: count, sentMessages: await this.deleteMessagesTo(claimed), invitedContacts: invited };
  }

  /** @returns the number deleted */
  private async deleteMessagesTo(recipients: readonly ClaimedValue[]): Promise<number> {
    const { rowCount } = await this.pool.query(
      'delete from state.outbox where lower(recipient) = any($1::text[])',
      [recipients.flatMap(recipientOf)],
    );
    return rowCount ?? 0;
  }

  /** Removes the student's contacts from invitation lists. @returns the number removed */
  private async deleteInvitedContacts(claimed: readonly ClaimedValue[]): Promise<number> {
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

  private async words(studentId: string): Promise<Counts> {
    if (!(await this.includesContent(studentId))) return {};
    const owner = { column: 'author_id', id: studentId } as const;
    await this.posts.eraseAll(owner);
    return { posts: await this.posts.count(owner) };
  }

  /** Written before the keys are destroyed, so that restoring an older backup erases the student again. */
  private async tombstone(studentId: string): Promise<Counts> {
    await this.tombstones.add({ studentId, withWords: await this.includesContent(studentId) });
    return {};
  }

  private async destroyKeys(studentId: string): Promise<Counts> {
    const withWords = await this.includesContent(studentId);
    await this.keys.destroy(studentId, withWords ? ['identity', 'words'] : ['identity']);
    return {};
  }

  private async readSide(): Promise<Counts> {
    await this.posts.waitForProjections(PROJECTION_NAMES);
    return {};
  }

  /** Deletes uploads that nothing uses. Pictures in posts that stay are kept. */
  private async pictures(studentId: string): Promise<Counts> {
    await this.posts.waitForProjections(['pictures', 'questions']);
    const { rows } = await this.pool.query<{ key: string }>(
      'select key from state.upload where student_id = $1',
      [studentId],
    );
    const unused = await findUnusedPictures(
      this.pool,
      rows.map(({ key }) => locationOf(key)),
    );
    for (const key of unused.flatMap((location) => keyAt(location) ?? [])) {
      for (const place of Object.values(STORAGE_PATHS)) await this.files.remove(place(key));
      await this.pool.query('delete from state.upload where key = $1', [key]);
    }
    return { pictures: unused.length };
  }

  /** Drops retired generations, which are not updated, and waits for building ones to catch up. */
  private async generations(): Promise<Counts> {
    const dropped = await dropFormerGenerations(this.pool, PROJECTION_NAMES);
    const head = await this.store.head();
    // The head as of now: a busy log keeps growing.
    const deadline = performance.now() + TIMEOUT_MS;
    while (head !== undefined) {
      const behind = await generationsBehind(this.pool, PROJECTION_NAMES, head);
      if (behind.length === 0) break;
      if (performance.now() > deadline) throw new RetryLaterError(`still catching up: ${behind.join(', ')}`);
      await delay(POLL_INTERVAL_MS);
    }
    return { formerGenerations: dropped };
  }

  private async includesContent(studentId: string): Promise<boolean> {
    const events = await this.store.readStream(studentDecider.stream(studentId));
    return events.some(({ type, data }) => type === 'StudentErased' && data['withWords'] === true);
  }

  private async stateOf(studentId: string): Promise<Student> {
    const student = await this.commands.state(aggregate(studentDecider, studentId));
    if (!student) throw new RetryLaterError('unknown student');
    return student;
  }
}

/** Recipient format of `state.outbox`. */
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
