import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimDecider, fold, studentDecider, type ClaimEvent } from '@nimo/domain';
import type { Append, EventStore } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { IdempotencyKeys } from '../../platform/commands/idempotency-keys.js';
import { createLogger } from '../../platform/logging/logger.js';
import { Tracing } from '../../platform/operations/tracing.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { Claims } from './claims.js';
import { ClaimsReactor } from './claims.reactor.js';
import { ChangeContact, ChangeContactHandler } from '../contacts/commands/change-contact.js';
import type { ContactChanges } from '../contacts/contact-changes.js';
import type { SessionStore } from '../../platform/auth/session-store.js';
import { Accounts } from './accounts.js';
import type { UnfinishedSignUps } from './unfinished-sign-ups.js';
import { ChangeProfile, ChangeProfileHandler } from '../students/commands/change-profile.js';
import { ClaimReconciler } from './claim-reconciler.js';

/** Reservations last 10 minutes. */
const RESERVATION_LAPSED_MS = 11 * 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

class ProcessEnded extends Error {}

/** The claim services on a log of their own. `before` runs a hook right before an event is appended. */
class TestAccounts {
  private readonly log = new InMemoryEventStore();
  private readonly hooks: {
    readonly type: string;
    readonly streamId: string;
    readonly meanwhile: () => Promise<void>;
  }[] = [];
  private readonly hasher = new ClaimHasher(Buffer.alloc(32, 'h'));
  private readonly rename: ChangeProfileHandler;
  private readonly correct: ChangeContactHandler;
  private readonly reactor: ClaimsReactor;
  private now = Date.parse('2026-01-01T10:00:00.000Z');

  constructor() {
    const store: EventStore = {
      append: async (appends) => {
        for (const append of appends) await this.runHooksBefore(append);
        return this.log.append(appends);
      },
      readStream: (...args) => this.log.readStream(...args),
      readStreams: (...args) => this.log.readStreams(...args),
      readAll: (options) => this.log.readAll(options),
      subscribe: (options) => this.log.subscribe(options),
      head: () => this.log.head(),
      countAfter: (after, atMost) => this.log.countAfter(after, atMost),
      close: () => this.log.close(),
    };
    const logger = createLogger({ name: 'test', level: 'silent', console: false });
    const tracing = new Tracing(
      { otelEndpoint: undefined, otelHeaders: undefined, otelRatio: 1 },
      logger,
      'test',
    );
    // Unused: no caller here reads projections.
    const waiter = {} as ProjectionWaiter;
    const clock = () => new Date(this.now);
    const keys = new IdempotencyKeys(database.pool(), new ClaimHasher(Buffer.alloc(32, 'h')));
    const runner = new CommandRunner(store, clock, waiter, tracing, keys, database.pool(), logger);
    const claims = new Claims(runner, this.hasher);
    const names = new ClaimReconciler(store, runner, claims);
    this.rename = new ChangeProfileHandler(runner, claims, names);
    this.correct = new ChangeContactHandler(
      runner,
      claims,
      names,
      new Accounts(runner, claims),
      {} as UnfinishedSignUps,
      { endOthers: () => Promise.resolve() } as unknown as SessionStore,
      { revokePendingResets: () => Promise.resolve() } as unknown as ContactChanges,
    );
    this.reactor = new ClaimsReactor(database.pool(), claims, names);
  }

  async newStudent(userName: string): Promise<string> {
    const studentId = randomUUID();
    const profile = { firstName: '', lastName: '', profileDesc: '', realProfilePicUrl: null };
    const reservationId = randomUUID();
    const claim = {
      kind: 'username',
      claim: this.hasher.hash('username', userName),
      reservationId,
      studentId,
    };
    await this.appendEvent(this.streamOf(userName), 'ClaimReserved', { ...claim, expiresAt: this.clock });
    await this.appendEvent(this.streamOf(userName), 'ClaimConfirmed', claim);
    await this.appendEvent(studentDecider.stream(studentId), 'StudentSignedUp', {
      studentId,
      phone: null,
      email: null,
    });
    await this.appendEvent(studentDecider.stream(studentId), 'StudentRegistered', {
      studentId,
      userName,
      ...profile,
    });
    return studentId;
  }

  async renames(studentId: string, userName: string): Promise<void> {
    const commandId = randomUUID();
    const by = { kind: 'student', studentId, registered: true, blocked: false, roles: [] } as const;
    const ids = { commandId, correlationId: commandId, causationId: commandId };
    const context: CommandContext = { by, actor: { kind: 'student', id: studentId }, ...ids };
    await this.rename.execute(new ChangeProfile(context, { userName }));
  }

  async newStudentWithPhone(userName: string, phone: string): Promise<string> {
    const studentId = await this.newStudent(userName);
    const reservationId = randomUUID();
    const claim = { kind: 'phone', claim: this.hasher.hash('phone', phone), reservationId, studentId };
    await this.appendEvent(this.phoneStreamOf(phone), 'ClaimReserved', { ...claim, expiresAt: this.clock });
    await this.appendEvent(this.phoneStreamOf(phone), 'ClaimConfirmed', claim);
    await this.appendEvent(studentDecider.stream(studentId), 'StudentPhoneChanged', { studentId, phone });
    return studentId;
  }

  async corrects(studentId: string, phone: string, commandId: string = randomUUID()): Promise<void> {
    const by = { kind: 'student', studentId, registered: true, blocked: false, roles: [] } as const;
    const ids = { commandId, correlationId: commandId, causationId: commandId };
    const context: CommandContext = { by, actor: { kind: 'student', id: studentId }, ...ids };
    await this.correct.execute(new ChangeContact(context, { kind: 'phone', value: phone }, 'session'));
  }

  phoneStreamOf(phone: string): string {
    return claimDecider.stream('phone', this.hasher.hash('phone', phone));
  }

  /** The claim holder of each phone and the current phone of each student, as indexes. */
  async phoneBook(students: readonly string[], phones: readonly string[]): Promise<unknown> {
    const held = await Promise.all(
      phones.map(async (phone) => {
        const events = await this.log.readStream(this.phoneStreamOf(phone));
        const state = fold(claimDecider, events as unknown as ClaimEvent[]);
        return state.status === 'confirmed' ? students.indexOf(state.studentId) : state.status;
      }),
    );
    const current = await Promise.all(
      students.map(async (studentId) => {
        const events = await this.log.readStream(studentDecider.stream(studentId));
        const last = events.findLast(({ type }) => type === 'StudentPhoneChanged');
        return phones.findIndex((phone) => phone === last?.data['phone']);
      }),
    );
    return { held, current };
  }

  /** Runs once, right before the next event of that type is appended to that stream. */
  before(type: string, streamId: string, meanwhile: () => Promise<void>): void {
    this.hooks.push({ type, streamId, meanwhile });
  }

  pause(): void {
    this.now += RESERVATION_LAPSED_MS;
  }

  /** Runs the worker: handles all events and settles every check. */
  async work(): Promise<void> {
    const pool = database.pool();
    await pool.query('delete from state.claim_check');
    const types = new Set<string>(this.reactor.types);
    for (const event of await this.log.readAll({ limit: 1_000 })) {
      if (types.has(event.type))
        await this.reactor.handle(event as unknown as Parameters<ClaimsReactor['handle']>[0]);
    }
    await pool.query(`update state.claim_check set due_at = now() - interval '1 second'`);
    await this.reactor.settleDue();
  }

  streamOf(userName: string): string {
    return claimDecider.stream('username', this.hasher.hash('username', userName));
  }

  async holderOf(userName: string): Promise<string | null> {
    const events = await this.log.readStream(this.streamOf(userName));
    const state = fold(claimDecider, events as unknown as ClaimEvent[]);
    return state.status === 'confirmed' ? state.studentId : null;
  }

  async nameOf(studentId: string): Promise<unknown> {
    const events = await this.log.readStream(studentDecider.stream(studentId));
    return events.findLast(({ data }) => 'userName' in data)?.data['userName'];
  }

  private get clock(): string {
    return new Date(this.now).toISOString();
  }

  private async appendEvent(
    streamId: string,
    type: string,
    data: Append['events'][number]['data'],
  ): Promise<void> {
    const event = { id: randomUUID(), type, data, metadata: { commandId: randomUUID() } };
    await this.log.append([{ streamId, expectedRevision: 'any', events: [event] }]);
  }

  private async runHooksBefore({ streamId, events }: Append): Promise<void> {
    const place = this.hooks.findIndex(
      (hook) => hook.streamId === streamId && events.some(({ type }) => type === hook.type),
    );
    const [hook] = place < 0 ? [] : this.hooks.splice(place, 1);
    await hook?.meanwhile();
  }
}

const ends = (): Promise<never> => Promise.reject(new ProcessEnded());

describe('a reclaimed user name', () => {
  it('stays with the student even if the worker was about to release it', async () => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudent('ada');
    accounts.before('ClaimReleased', accounts.streamOf('ada'), ends);
    await expect(accounts.renames(ada, 'countess')).rejects.toBeInstanceOf(ProcessEnded);
    accounts.before('ClaimReleased', accounts.streamOf('ada'), () => accounts.renames(ada, 'ada'));
    await accounts.work();
    expect([await accounts.nameOf(ada), await accounts.holderOf('ada')]).toEqual(['ada', ada]);
    await accounts.work();
    expect([await accounts.holderOf('ada'), await accounts.holderOf('countess')]).toEqual([ada, null]);
  });

  it('stays with the student while its new reservation is pending', async () => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudent('ada');
    accounts.before('ClaimReleased', accounts.streamOf('ada'), ends);
    await expect(accounts.renames(ada, 'countess')).rejects.toBeInstanceOf(ProcessEnded);
    accounts.before('StudentProfileChanged', studentDecider.stream(ada), () => accounts.work());
    await accounts.renames(ada, 'ada');
    expect([await accounts.nameOf(ada), await accounts.holderOf('ada')]).toEqual(['ada', ada]);
  });

  it('stays with the student even if an earlier rename resumes afterwards', async () => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudent('ada');
    accounts.before('ClaimReleased', accounts.streamOf('ada'), () => accounts.renames(ada, 'ada'));
    await accounts.renames(ada, 'countess');
    expect([await accounts.nameOf(ada), await accounts.holderOf('ada')]).toEqual(['ada', ada]);
    await accounts.work();
    expect([await accounts.holderOf('ada'), await accounts.holderOf('countess')]).toEqual([ada, null]);
  });
});

describe('a rename that stalls past its reservation', () => {
  it('is reverted if another student has taken the name', async () => {
    const accounts = new TestAccounts();
    const [ada, eve] = [await accounts.newStudent('ada'), await accounts.newStudent('eve')];
    accounts.before('StudentProfileChanged', studentDecider.stream(ada), async () => {
      accounts.pause();
      await accounts.renames(eve, 'countess');
    });
    await expect(accounts.renames(ada, 'countess')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    expect([await accounts.nameOf(ada), await accounts.nameOf(eve)]).toEqual(['ada', 'countess']);
    expect([await accounts.holderOf('ada'), await accounts.holderOf('countess')]).toEqual([ada, eve]);
    await accounts.work();
    expect([await accounts.holderOf('ada'), await accounts.holderOf('countess')]).toEqual([ada, eve]);
  });

  it('succeeds if no one took the name, even if the worker released it', async () => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudent('ada');
    accounts.before('StudentProfileChanged', studentDecider.stream(ada), async () => {
      accounts.pause();
      await accounts.work();
    });
    await accounts.renames(ada, 'countess');
    expect([
      await accounts.nameOf(ada),
      await accounts.holderOf('countess'),
      await accounts.holderOf('ada'),
    ]).toEqual(['countess', ada, null]);
  });

  it('is reverted by the worker if the process died before reverting it', async () => {
    const accounts = new TestAccounts();
    const [ada, eve] = [await accounts.newStudent('ada'), await accounts.newStudent('eve')];
    accounts.before('StudentProfileChanged', studentDecider.stream(ada), async () => {
      accounts.pause();
      await accounts.renames(eve, 'countess');
      accounts.before('StudentProfileChanged', studentDecider.stream(ada), ends);
    });
    await expect(accounts.renames(ada, 'countess')).rejects.toBeInstanceOf(ProcessEnded);
    expect(await accounts.nameOf(ada)).toBe('countess');
    await accounts.work();
    expect([await accounts.nameOf(ada), await accounts.nameOf(eve)]).toEqual(['ada', 'countess']);
    expect([await accounts.holderOf('ada'), await accounts.holderOf('countess')]).toEqual([ada, eve]);
  });
});

describe('a phone change', () => {
  const [former, other] = ['919000000001', '919000000002'] as const;
  const steps: readonly (readonly [string, string])[] = [
    ['ClaimReserved', other],
    ['StudentPhoneChanged', 'student'],
    ['ClaimConfirmed', other],
    ['ClaimReleased', former],
  ];
  const streamIn = (accounts: TestAccounts, ada: string, place: string): string =>
    place === 'student' ? studentDecider.stream(ada) : accounts.phoneStreamOf(place);

  it.each(steps)('leaves exactly one phone if the process dies before %s', async (type, place) => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudentWithPhone('ada', former);
    accounts.before(type, streamIn(accounts, ada, place), ends);
    await expect(accounts.corrects(ada, other)).rejects.toBeInstanceOf(ProcessEnded);
    accounts.pause();
    await accounts.work();
    const isChanged = type === 'ClaimConfirmed' || type === 'ClaimReleased';
    expect(await accounts.phoneBook([ada], [former, other])).toEqual(
      isChanged ? { held: ['free', 0], current: [1] } : { held: [0, 'free'], current: [0] },
    );
  });

  it.each(steps)(
    'completes when the same codes are sent again after the process dies before %s',
    async (type, place) => {
      const accounts = new TestAccounts();
      const ada = await accounts.newStudentWithPhone('ada', former);
      const command = randomUUID();
      accounts.before(type, streamIn(accounts, ada, place), ends);
      await expect(accounts.corrects(ada, other, command)).rejects.toBeInstanceOf(ProcessEnded);
      await accounts.corrects(ada, other, command);
      expect(await accounts.phoneBook([ada], [former, other])).toEqual({ held: ['free', 0], current: [1] });
    },
  );

  it('reverts to the previous phone if it stalls and another student takes the new one', async () => {
    const accounts = new TestAccounts();
    const ada = await accounts.newStudentWithPhone('ada', former);
    const eve = await accounts.newStudentWithPhone('eve', '919000000003');
    accounts.before('StudentPhoneChanged', studentDecider.stream(ada), async () => {
      accounts.pause();
      await accounts.corrects(eve, other);
    });
    await expect(accounts.corrects(ada, other)).rejects.toMatchObject({ code: 'USER_EXISTS' });
    await accounts.work();
    expect(await accounts.phoneBook([ada, eve], [former, other])).toEqual({ held: [0, 1], current: [0, 1] });
  });
});
