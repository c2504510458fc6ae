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

/** Writes or removes a note on a student of a space. */
export class ChangeNotes extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly target: NoteChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeNotes)
export class ChangeNotesHandler implements ICommandHandler<ChangeNotes> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, target: { studentId, spaceId, change } }: ChangeNotes): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(noteDecider, spaceId, studentId),
      reads: [aggregate(studentDecider, studentId)],
      decide: (state, streams) => {
        const about = { by: context.by, spaceId, studentId };
        requireNoteReader(about);
        const student = streams.state(aggregate(studentDecider, studentId));
        if (!student || student.erased) throw new DomainError('STUDENT_NOT_FOUND');
        // A command writes at most one note, so its id can identify the note.
        return 'write' in change
          ? writeNote({ ...about, noteId: context.commandId, text: change.write }, state)
          : removeNote({ ...about, noteId: change.remove }, state);
      },
      visibleIn: ['notes'],
    });
  }
}
