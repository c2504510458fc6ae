import { OPERATOR, type ActingStudent, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { ImportIds } from './import-ids.js';

/** Contexts of an import's commands: the source's time, no waiting, no throttles, and always the same ids. */
export class ImportContexts {
  constructor(private readonly ids: ImportIds) {}

  /** On behalf of a student of the other community. */
  student(studentId: string, what: string, at: Date): CommandContext {
    const by: ActingStudent = { kind: 'student', studentId, registered: true, blocked: false, roles: [] };
    return { ...this.common(what, at), by, actor: { kind: 'import', id: studentId } };
  }

  operator(what: string, at: Date): CommandContext<Authority> {
    return { ...this.common(what, at), by: OPERATOR, actor: { kind: 'import', id: this.ids.importId } };
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
