import type { CommandBus } from '@nestjs/cqrs';
import {
  type ActingStudent,
  type Actor,
  type Authority,
  DomainError,
  OPERATOR,
  spaceDecider,
  studentDecider,
  MAX_USERNAME_LENGTH,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { ImportStudent } from '../students/commands/register-student.js';
import { ChangeSpace, CreateSpace } from '../spaces/commands/manage-space.js';
import { AddSubject } from '../spaces/commands/subjects.js';
import type { ImportIds } from './import-ids.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { ImportError } from './dump-row.js';

/** What another attempt under a further command id may cure. */
const TRIED_AGAIN: readonly string[] = ['USERNAME_TAKEN', 'CLAIM_LOST'];

interface Newcomer {
  readonly studentId: string;
  readonly sourceId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly userName: string;
  readonly standIn: boolean;
  /** Nothing unless given. */
  readonly profileDesc?: string;
  readonly realProfilePicUrl?: string | null;
  readonly at: Date;
}

interface PeopleOptions {
  readonly commands: CommandBus;
  readonly store: EventStore;
  readonly contexts: ImportContexts;
  /** What the log calls the place that they come from. */
  readonly source: string;
}

/** Brings in students. */
export class ImportPeople {
  constructor(private readonly options: PeopleOptions) {}

  async add(person: Newcomer): Promise<void> {
    const known = await this.options.store.readStream(studentDecider.stream(person.studentId), { limit: 1 });
    if (known.length === 0) await this.import(person);
  }

  /** And lets them join the space. */
  async addTo(spaceId: string, person: Newcomer): Promise<void> {
    const { commands, contexts } = this.options;
    const { studentId, at } = person;
    await this.add(person);
    await commands.execute(
      new JoinSpace(contexts.student(studentId, `join:${studentId}`, at), spaceId, true),
    );
  }

  /** Under the first of the names that is free. A reservation that an interrupted import left behind and lost is made anew. */
  private async import(person: Newcomer): Promise<void> {
    const { commands, contexts, source } = this.options;
    const { at, ...student } = person;
    const names = userNamesOf(person);
    for (const [attempt, userName] of names.entries()) {
      const context = contexts.operator(`import:${person.studentId}:${attempt}`, at);
      const profile = { profileDesc: '', realProfilePicUrl: null, ...student, userName, source };
      try {
        await commands.execute(new ImportStudent(context, profile));
        return;
      } catch (error) {
        const isLast = attempt === names.length - 1;
        if (isLast || !(error instanceof DomainError) || !TRIED_AGAIN.includes(error.code)) throw error;
      }
    }
  }
}

function userNamesOf({ userName, studentId }: Newcomer): string[] {
  const mark = studentId.replaceAll('-', '');
  const marked = [6, 10].map((length) => {
    const suffix = `_${mark.slice(0, length)}`;
    return `${userName.slice(0, MAX_USERNAME_LENGTH - suffix.length)}${suffix}`;
  });
  return [userName, userName, ...marked, ...marked];
}

const COLOR = '3b6fb6';
const DESCRIPTION =
  'A community of Stack Exchange, imported from its public data dump. Licence of the content: CC BY-SA.';
const LAG_PATIENCE_MS = 60_000;

interface SpaceSources {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly waiter: ProjectionWaiter;
}

/**
 * @param own the id that the space gets, or has from an earlier run
 * @throws ImportError where another space has that name
 */
export async function assertNameIsFree(
  name: string,
  own: string,
  { pool, store, waiter }: SpaceSources,
  from: 'dump' | 'file' = 'dump',
): Promise<void> {
  if ((await store.readStream(spaceDecider.stream(own), { limit: 1 })).length > 0) return;
  const head = await store.head();
  if (head !== undefined) await waiter.waitFor(['spaces'], head, LAG_PATIENCE_MS);
  const { rowCount } = await pool.query('select from read.spaces where lower(name) = lower($1) limit 1', [
    name,
  ]);
  if (rowCount)
    throw new ImportError(
      `There is a space "${name}" that does not come from this ${from}. Choose another name with --space${from === 'dump' ? ', or give the --origin of its import' : ''}.`,
    );
}

/** Finds the first import under these ids that was not given up. @param nth ids of the nth attempt, from 0 */
export async function currentIds(
  store: EventStore,
  nth: (attempt: number) => ImportIds,
  spaceIdOf: (ids: ImportIds) => string,
): Promise<ImportIds> {
  for (let attempt = 0; ; attempt++) {
    const ids = nth(attempt);
    if (!(await isRemoved(store, spaceIdOf(ids)))) return ids;
  }
}

export async function isRemoved(store: EventStore, spaceId: string): Promise<boolean> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  return events.at(-1)?.type === 'SpaceRemoved';
}

/** The one command that shows the space to students. */
const OPEN = 'open';

/** How far an earlier run of the same import came. */
export type Standing = 'new' | 'unfinished' | 'complete';

/** @param spaceId of the import, whose ids are `ids` */
export async function standingOf(store: EventStore, spaceId: string, ids: ImportIds): Promise<Standing> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  if (events.length === 0) return 'new';
  const isOpened = events.some(({ metadata }) => metadata['commandId'] === ids.command(OPEN));
  return isOpened ? 'complete' : 'unfinished';
}

/** The space and the one subject that its topics are under; nothing new where they are there from an earlier run. Students don't see it. */
export async function prepareSpace(
  name: string,
  at: Date,
  { commands, contexts }: { readonly commands: CommandBus; readonly contexts: ImportContexts },
): Promise<{ spaceId: string; subjectId: string }> {
  const details = { name, description: DESCRIPTION, color: COLOR, bannerImageUrl: null };
  const spaceId = await commands.execute(
    // The same texts are elsewhere already, and found there.
    new CreateSpace(contexts.operator('space', at), {
      ...details,
      hiddenFromSearchEngines: true,
      entry: 'IMPORTING',
    }),
  );
  const subject = { spaceId, subjectName: name, color: COLOR };
  const subjectId = await commands.execute(new AddSubject(contexts.operator('subject', at), subject));
  return { spaceId, subjectId };
}

/** By the log, whatever the read side shows. */
export async function isImporting(store: EventStore, spaceId: string): Promise<boolean> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  return events.findLast(({ data }) => 'entry' in data)?.data['entry'] === 'IMPORTING';
}

/** Now that everything is there. One that was opened stays as its maintainers have it. */
export async function openSpace(
  spaceId: string,
  at: Date,
  {
    commands,
    contexts,
    store,
  }: {
    readonly commands: CommandBus;
    readonly contexts: ImportContexts;
    readonly store: EventStore;
  },
): Promise<void> {
  if (!(await isImporting(store, spaceId))) return;
  const change = { entry: 'OPEN' } as const;
  await commands.execute(new ChangeSpace(contexts.operator(OPEN, at), spaceId, { change }));
}

/** Contexts of an import's commands: the source's time, no waiting, no throttles, and always the same ids. */
export class ImportContexts {
  /** @param whose who runs the import */
  constructor(
    private readonly ids: ImportIds,
    private readonly whose: string,
  ) {}

  /** On behalf of a student of the other community. */
  student(studentId: string, what: string, at: Date): CommandContext {
    const by: ActingStudent = { kind: 'student', studentId, registered: true, blocked: false, roles: [] };
    return { ...this.common(what, at), by, actor: this.actor(studentId) };
  }

  operator(what: string, at: Date): CommandContext<Authority> {
    return { ...this.common(what, at), by: OPERATOR, actor: this.actor(this.ids.importId) };
  }

  private actor(id: string): Actor {
    return { kind: 'import', id, operator: this.whose };
  }

  private common(what: string, at: Date): Omit<CommandContext, 'by' | 'actor'> {
    const commandId = this.ids.command(what);
    return {
      commandId,
      correlationId: this.ids.importId,
      causationId: commandId,
      occurredAt: at.toISOString(),
    };
  }
}
