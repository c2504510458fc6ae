import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type EventMetadata, type PayloadField, protectedPayload } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import {
  ProjectionMaintenance,
  projectionStatus,
  type ProjectionStatus,
  readMaintenanceCommands,
  type RecordedCommand,
  type StoppedEvent,
} from '@nimo/projection-engine';
import { Pool } from 'pg';
import { EVENT_STORE } from '../../platform/config/tokens.js';

export interface StoppedEventView extends Omit<StoppedEvent, 'event'> {
  /** Null if the log does not have the event. */
  readonly data: readonly PayloadField[] | null;
}

/** Status and maintenance of projections, for the API and the command line. */
@Injectable()
export class ProjectionAdmin {
  readonly maintenance: ProjectionMaintenance;

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    this.maintenance = new ProjectionMaintenance({ pool, store, projections });
  }

  /** Status in registry order; of all projections by default. */
  status(names?: readonly string[]): Promise<ProjectionStatus[]> {
    names?.forEach((name) => this.assertKnown(name));
    const selected = projections.filter(({ name }) => names?.includes(name) ?? true);
    return projectionStatus({ pool: this.pool, store: this.store, projections: selected });
  }

  async statusOf(name: string): Promise<ProjectionStatus> {
    this.assertKnown(name);
    return this.maintenance.status(name);
  }

  /** Events at which projections are stopped, without personal data. */
  async stoppedEvents(): Promise<readonly StoppedEventView[]> {
    const stops = await this.maintenance.stoppedEvents();
    return stops.map(({ event, ...stop }) => ({
      ...stop,
      data: event && protectedPayload(event.type, event.data),
    }));
  }

  /** Maintenance commands, newest first. */
  async commands(name: string): Promise<readonly RecordedCommand<EventMetadata>[]> {
    const { commands } = await readMaintenanceCommands<EventMetadata>(this.store, name);
    return commands.toReversed();
  }

  assertKnown(name: string): void {
    if (!projections.some((projection) => projection.name === name))
      throw new DomainError('PROJECTION_NOT_FOUND', { name });
  }
}
