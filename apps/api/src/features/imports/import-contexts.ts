import { OPERATOR, type ActingStudent, type Actor, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { ImportIds } from './import-ids.js';

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
