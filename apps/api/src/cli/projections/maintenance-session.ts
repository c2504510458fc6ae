import { CommandBus } from '@nestjs/cqrs';
import { projections } from '@nimo/projections';
import {
  MaintainProjection,
  type ProjectionRequest,
} from '../../features/projections/commands/maintain-projection.js';
import { ProjectionAdmin } from '../../features/projections/projection-admin.js';
import { inSession, operatorContext, operatorName, withProjections } from '../cli-session.js';
import type { PassProgress, WorkProgress } from '@nimo/projection-engine';
import { duration, grouped } from '../output.js';

export interface MaintenanceSession {
  readonly admin: ProjectionAdmin;
  readonly request: (name: string, command: ProjectionRequest) => Promise<void>;
  /** Does the work of workers while none runs. */
  readonly working: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The projections from the command line, as an operator. */
export function withMaintenance<Result>(
  work: (session: MaintenanceSession) => Promise<Result>,
): Promise<Result> {
  return inSession(({ runtime, container }) => {
    const commands = container.get(CommandBus, { strict: false });
    return work({
      admin: container.get(ProjectionAdmin, { strict: false }),
      request: (name, command) => {
        const context = operatorContext(operatorName(runtime.settings));
        return commands.execute(new MaintainProjection(context, name, command));
      },
      working: (inside) => withProjections(runtime, inside),
    });
  });
}

/** `all` stands for every projection. */
export function namesOf(given: readonly string[], admin: ProjectionAdmin): readonly string[] {
  if (given.includes('all')) return projections.map(({ name }) => name);
  given.forEach((name) => admin.assertKnown(name));
  return [...new Set(given)];
}

/** A pass that is at the end of the log has the indexes and switches of some before it. */
export function progressText(progress: WorkProgress | PassProgress): string {
  const { done, total, eventsPerSecond, secondsLeft } = progress;
  const ended = 'ended' in progress ? ` · ${progress.ended} of ${progress.of} done` : '';
  if (ended !== '' && done >= total) return `${grouped(total)} events · indexing and switching${ended}`;
  const rest = secondsLeft === null ? '' : ` · ${duration(secondsLeft)} left`;
  return `${grouped(done)} of ${grouped(total)} · ${grouped(Math.round(eventsPerSecond))}/s${rest}${ended}`;
}
