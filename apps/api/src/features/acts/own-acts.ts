import { Injectable } from '@nestjs/common';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { findOwnAct } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';

/** Projections that an act has to pass before its page in the audit can be linked to. */
export const ACT_VISIBLE_IN: readonly string[] = ['audit'];

@ObjectType({ isAbstract: true })
export abstract class ActResult {
  @Field(() => Int, {
    nullable: true,
    description: 'Ordinal of the act in the audit; null: nothing changed.',
  })
  readonly act!: number | null;
}

/** Where what the caller has just done stands in the audit. */
@Injectable()
export class OwnActs {
  constructor(private readonly pool: Pool) {}

  /** Null where nothing changed, or the audit lags. */
  ordinalOf({ by, commandId }: CommandContext): Promise<number | null> {
    return findOwnAct(this.pool, { actorId: by.studentId, commandId });
  }
}
