import { CommandBus } from '@nestjs/cqrs';
import { projections } from '@nimo/projections';
import {
  MaintainProjection,
  type ProjectionRequest,
} from '../../features/projections/commands/maintain-projection.js';
import { ProjectionAdmin } from '../../features/projections/projection-admin.js';
import { inSession, withProjections } from '../cli-session.js';
import { operatorName } from '../operator-name.js';
import { operatorContext } from '../operator-session.js';

export interface DeskSession {
  readonly desk: ProjectionAdmin;
  readonly act: (name: string, request: ProjectionRequest) => Promise<void>;
  /** Does the workers' part as far as no worker runs. */
  readonly working: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The projections from the command line, as an operator. */
export function atDesk<Result>(work: (session: DeskSession) => Promise<Result>): Promise<Result> {
  return inSession(({ runtime, container }) => {
    const commands = container.get(CommandBus, { strict: false });
    return work({
      desk: container.get(ProjectionAdmin, { strict: false }),
      act: (name, request) => {
        const context = operatorContext(operatorName(runtime.settings));
        return commands.execute(new MaintainProjection(context, name, request));
      },
      working: (inside) => withProjections(runtime, inside),
    });
  });
}

/** `all` stands for every projection. */
export function namesOf(given: readonly string[], desk: ProjectionAdmin): readonly string[] {
  if (given.includes('all')) return projections.map(({ name }) => name);
  given.forEach((name) => desk.assertKnown(name));
  return [...new Set(given)];
}
