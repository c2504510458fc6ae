import { CommandBus } from '@nestjs/cqrs';
import { projections } from '@nimo/projections';
import {
  MaintainProjection,
  type ProjectionRequest,
} from '../../features/projections/commands/maintain-projection.js';
import { SkipEvent } from '../../features/projections/commands/skip-event.js';
import { ProjectionAdmin } from '../../features/projections/projection-admin.js';
import { withSession, operatorContext, operatorName, withProjections } from '../cli-session.js';
import type { PassProgress, WorkProgress } from '@nimo/projection-engine';
import { formatDuration, formatCount } from '../output.js';

export interface MaintenanceSession {
  readonly admin: ProjectionAdmin;
  readonly request: (name: string, command: ProjectionRequest) => Promise<void>;
  /** Skips an event in every projection that is stopped at it. @returns their names */
  readonly skipEvent: (eventId: string, reason: string) => Promise<readonly string[]>;
  /** Runs projections in this process unless a worker already does. */
  readonly withWorker: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Runs projection maintenance as the operator. */
export function withMaintenance<Result>(
  work: (session: MaintenanceSession) => Promise<Result>,
): Promise<Result> {
  return withSession(({ runtime, container }) => {
    const commands = container.get(CommandBus, { strict: false });
    return work({
      admin: container.get(ProjectionAdmin, { strict: false }),
      request: (name, command) => {
        const context = operatorContext(operatorName(runtime.settings));
        return commands.execute(new MaintainProjection(context, name, command));
      },
      skipEvent: (eventId, reason) =>
        commands.execute(new SkipEvent(operatorContext(operatorName(runtime.settings)), eventId, reason)),
      withWorker: (inside) => withProjections(runtime, inside),
    });
  });
}

/** Expands `all` to every projection and removes duplicates. */
export function namesOf(requested: readonly string[], admin: ProjectionAdmin): readonly string[] {
  if (requested.includes('all')) return projections.map(({ name }) => name);
  requested.forEach((name) => admin.assertKnown(name));
  return [...new Set(requested)];
}

/** A pass that has reached the end of the log may still have to index and switch some projections. */
export function progressText(progress: WorkProgress | PassProgress): string {
  const { done, total, eventsPerSecond, secondsLeft } = progress;
  const ended = 'ended' in progress ? ` · ${progress.ended} of ${progress.of} done` : '';
  if (ended !== '' && done >= total) return `${formatCount(total)} events · indexing and switching${ended}`;
  const rest = secondsLeft === null ? '' : ` · ${formatDuration(secondsLeft)} left`;
  return `${formatCount(done)} of ${formatCount(total)} · ${formatCount(Math.round(eventsPerSecond))}/s${rest}${ended}`;
}
