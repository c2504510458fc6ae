import type { CommandBus } from '@nestjs/cqrs';
import { DomainError, studentDecider, USERNAME_MAX_LENGTH } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { ImportStudent } from '../students/commands/import-student.js';
import type { ImportContexts } from './import-contexts.js';

const SOURCE = 'stackexchange';
/** What another attempt under a further command id may cure. */
const TRIED_AGAIN: readonly string[] = ['USERNAME_TAKEN', 'CLAIM_LOST'];

export interface Newcomer {
  readonly studentId: string;
  readonly sourceId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly userName: string;
  readonly standIn: boolean;
  readonly at: Date;
}

export interface PeopleOptions {
  readonly commands: CommandBus;
  readonly store: EventStore;
  readonly contexts: ImportContexts;
  readonly spaceId: string;
}

/** Brings in students and lets them join the space. */
export class ImportPeople {
  constructor(private readonly options: PeopleOptions) {}

  async add(person: Newcomer): Promise<void> {
    const { commands, contexts, spaceId, store } = this.options;
    const { studentId, at } = person;
    const known = await store.readStream(studentDecider.stream(studentId), { limit: 1 });
    if (known.length === 0) await this.import(person);
    await commands.execute(new JoinSpace(contexts.student(studentId, `join:${studentId}`, at), spaceId));
  }

  /** Under the first of the names that is free. A reservation that an interrupted import left behind and lost is made anew. */
  private async import(person: Newcomer): Promise<void> {
    const { commands, contexts } = this.options;
    const { at, ...student } = person;
    const names = userNamesOf(person);
    for (const [attempt, userName] of names.entries()) {
      const context = contexts.operator(`import:${person.studentId}:${attempt}`, at);
      const profile = { ...student, userName, profileDesc: '', realProfilePicUrl: null, source: SOURCE };
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
