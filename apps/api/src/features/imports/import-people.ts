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
import type { Pool } from 'pg';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { ImportStudent } from '../students/commands/register-student.js';
import { ChangeSpace, CreateSpace } from '../spaces/commands/manage-space.js';
import { AddSubject } from '../spaces/commands/subjects.js';
import type { ImportIds } from './import-ids.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { isNameTaken, readSpaceNames } from '../spaces/space-names.js';
import { ImportError } from './dump-row.js';

/** Errors worth another attempt under a new command ID. */
const RETRYABLE_CODES: readonly string[] = ['USERNAME_TAKEN', 'CLAIM_LOST'];

interface NewPerson {
  readonly studentId: string;
  readonly sourceId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly userName: string;
  readonly standIn: boolean;
  /** Defaults to an empty text. */
  readonly profileDesc?: string;
  readonly realProfilePicUrl?: string | null;
  readonly at: Date;
}

interface PeopleOptions {
  readonly commands: CommandBus;
  readonly store: EventStore;
  readonly contexts: ImportContexts;
  /** Source name recorded in the log. */
  readonly source: string;
}

/** Imports students. */
export class ImportPeople {
  constructor(private readonly options: PeopleOptions) {}

  async add(person: NewPerson): Promise<void> {
    const known = await this.options.store.readStream(studentDecider.stream(person.studentId), { limit: 1 });
    if (known.length === 0) await this.import(person);
  }

  /** Imports a student and joins them to the space. */
  async addTo(spaceId: string, person: NewPerson): Promise<void> {
    const { commands, contexts } = this.options;
    const { studentId, at } = person;
    await this.add(person);
    await commands.execute(
      new JoinSpace(contexts.student(studentId, `join:${studentId}`, at), spaceId, true),
    );
  }

  /** Uses the first free user name. Tries the first name twice, because an interrupted import may have left a lost reservation. */
  private async import(person: NewPerson): Promise<void> {
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
        if (isLast || !(error instanceof DomainError) || !RETRYABLE_CODES.includes(error.code)) throw error;
      }
    }
  }
}

function userNamesOf({ userName, studentId }: NewPerson): string[] {
  const mark = studentId.replaceAll('-', '');
  const marked = [6, 10].map((length) => {
    const suffix = `_${mark.slice(0, length)}`;
    return `${userName.slice(0, MAX_USERNAME_LENGTH - suffix.length)}${suffix}`;
  });
  return [userName, userName, ...marked, ...marked];
}

const COLOR = '3b6fb6';
const DESCRIPTION =
  'A Stack Exchange community, imported from its public data dump. Content licence: CC BY-SA.';

interface SpaceSources {
  readonly store: EventStore;
  readonly pool: Pool;
}

/**
 * @param own space ID of this import, possibly from an earlier run
 * @throws ImportError if another space has the name
 */
export async function assertNameIsFree(
  name: string,
  own: string,
  { pool, store }: SpaceSources,
  from: 'dump' | 'file' = 'dump',
): Promise<void> {
  if ((await store.readStream(spaceDecider.stream(own), { limit: 1 })).length > 0) return;
  if (isNameTaken(await readSpaceNames({ pool, store }), name, own))
    throw new ImportError(
      `A space named "${name}" already exists and was not imported from this ${from}. Choose another name with --space${from === 'dump' ? ', or pass the --origin of its import' : ''}.`,
    );
}

/** IDs of the first attempt that was not removed. @param nth IDs by attempt, starting at 0 */
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

/** Name of the command that makes the space visible to students. */
const OPEN_COMMAND = 'open';

/** State left by an earlier run of the same import. */
export type ImportState = 'new' | 'unfinished' | 'complete';

export async function readImportState(
  store: EventStore,
  spaceId: string,
  ids: ImportIds,
): Promise<ImportState> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  if (events.length === 0) return 'new';
  const isOpened = events.some(({ metadata }) => metadata['commandId'] === ids.command(OPEN_COMMAND));
  return isOpened ? 'complete' : 'unfinished';
}

/** Creates the hidden space and the subject for all its topics. Idempotent across runs. */
export async function prepareSpace(
  name: string,
  at: Date,
  { commands, contexts }: { readonly commands: CommandBus; readonly contexts: ImportContexts },
): Promise<{ spaceId: string; subjectId: string }> {
  const details = { name, description: DESCRIPTION, color: COLOR, bannerImageUrl: null };
  const spaceId = await commands.execute(
    // Hidden from search engines, because the original site has the same content.
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

/** Reads the log, because the projection may lag. */
export async function isImporting(store: EventStore, spaceId: string): Promise<boolean> {
  const events = await store.readStream(spaceDecider.stream(spaceId));
  return events.findLast(({ data }) => 'entry' in data)?.data['entry'] === 'IMPORTING';
}

/** Opens a completely imported space. Does nothing if it was opened before, to keep later changes by maintainers. */
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
  await commands.execute(new ChangeSpace(contexts.operator(OPEN_COMMAND, at), spaceId, { change }));
}

/** Command contexts of an import: original timestamps, deterministic IDs, no waiting for projections and no rate limits. */
export class ImportContexts {
  /** @param operatorName name of the operator who runs the import */
  constructor(
    private readonly ids: ImportIds,
    private readonly operatorName: string,
  ) {}

  /** Context for a command of an imported student. */
  student(studentId: string, name: string, at: Date): CommandContext {
    const by: ActingStudent = { kind: 'student', studentId, registered: true, blocked: false, roles: [] };
    return { ...this.common(name, at), by, actor: this.actor(studentId) };
  }

  operator(name: string, at: Date): CommandContext<Authority> {
    return { ...this.common(name, at), by: OPERATOR, actor: this.actor(this.ids.importId) };
  }

  private actor(id: string): Actor {
    return { kind: 'import', id, operator: this.operatorName };
  }

  private common(name: string, at: Date): Omit<CommandContext, 'by' | 'actor'> {
    const commandId = this.ids.command(name);
    return {
      commandId,
      correlationId: this.ids.importId,
      causationId: commandId,
      occurredAt: at.toISOString(),
    };
  }
}
