import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  importStudent,
  studentDecider,
  type Authority,
  type ImportStudent as ImportedStudent,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Claims } from '../claims.js';
import { CarriedValues } from '../carried-values.js';

/** Brings in a member of another community: without phone or password, under a user name that is claimed like any other. */
export class ImportStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly student: ImportedStudent,
  ) {
    super();
  }
}

@CommandHandler(ImportStudent)
export class ImportStudentHandler implements ICommandHandler<ImportStudent> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly carried: CarriedValues,
  ) {}

  async execute({ context, student }: ImportStudent): Promise<void> {
    const { studentId } = student;
    const claimed = { kind: 'username', value: student.userName } as const;
    await this.claims.reserve(context, claimed, studentId);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => importStudent(student, state),
      visibleIn: ['students'],
    });
    await this.carried.keep(context, 'username', studentId);
  }
}
