import { Injectable } from '@nestjs/common';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { findOwnStaffAction } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';

/** Projections that must have caught up before a staff action can be linked to in the audit. */
export const STAFF_ACTION_PROJECTIONS: readonly string[] = ['audit'];

@ObjectType({ isAbstract: true })
export abstract class StaffActionResult {
  @Field(() => Int, {
    nullable: true,
    description: 'Audit position of this action. Null if nothing changed.',
  })
  readonly act!: number | null;
}

/** Looks up the caller’s own staff actions in the audit. */
@Injectable()
export class OwnStaffActions {
  constructor(private readonly pool: Pool) {}

  /** @returns the log position of the command's action; null if nothing changed or the audit lags */
  positionOf({ by, commandId }: CommandContext): Promise<number | null> {
    return findOwnStaffAction(this.pool, { actorId: by.studentId, commandId });
  }
}
