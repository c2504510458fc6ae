import type { CommandBus } from '@nestjs/cqrs';
import { DomainError, studentDecider, USERNAME_MAX_LENGTH } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { ImportStudent } from '../students/commands/import-student.js';
import type { ImportContexts } from './import-contexts.js';

/** What another attempt under a further command id may cure. */
const TRIED_AGAIN: readonly string[] = ['USERNAME_TAKEN', 'CLAIM_LOST'];

export interface Newcomer {
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

export interface PeopleOptions {
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
    return `${userName.slice(0, USERNAME_MAX_LENGTH - suffix.length)}${suffix}`;
  });
  return [userName, userName, ...marked, ...marked];
}
