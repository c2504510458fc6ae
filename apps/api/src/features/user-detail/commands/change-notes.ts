import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  noteDecider,
  removeNote,
  requireNoteReader,
  studentDecider,
  writeNote,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export interface NoteChange {
  readonly studentId: string;
  readonly spaceId: string;
  readonly change: { readonly write: string } | { readonly remove: string };
}

/** Notes something down about a student of a space, or removes a note. */
export class ChangeNotes extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly of: NoteChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeNotes)
export class ChangeNotesHandler implements ICommandHandler<ChangeNotes> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, of: { studentId, spaceId, change } }: ChangeNotes): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(noteDecider, spaceId, studentId),
      reads: [aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const about = { by: context.by, spaceId, studentId };
        requireNoteReader(about);
        const student = streams.state(aggregate(studentDecider, studentId));
        if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
        // A command writes one note at most, so that its id will do.
        return 'write' in change
          ? writeNote({ ...about, noteId: context.commandId, text: change.write }, state)
          : removeNote({ ...about, noteId: change.remove }, state);
      },
      visibleIn: ['notes'],
    });
  }
}
