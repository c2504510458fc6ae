import { Injectable } from '@nestjs/common';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';
import { PostWords } from './post-words.js';

/**
 * Erases the words of a deleted space, and deletes its invitations and the addresses of guardians. Pictures that are no longer used
 * are swept like all others. Can resume after an interruption.
 */
@Injectable()
export class RemovedSpaceReactor implements Reactor<'SpaceRemoved'> {
  readonly name = 'removed-spaces';
  readonly startsAt = 'beginning';
  readonly types = ['SpaceRemoved'] as const;

  constructor(
    private readonly pool: Pool,
    private readonly posts: PostWords,
  ) {}

  async handle({ data }: ReactorEvent<'SpaceRemoved'>, _jobId: string, signal: AbortSignal): Promise<void> {
    const { spaceId } = data;
    await this.pool.query('delete from state.invitation where space_id = $1', [spaceId]);
    await this.pool.query('delete from state.guardian_link where space_id = $1', [spaceId]);
    await this.posts.eraseAll({ column: 'space_id', id: spaceId }, signal);
  }
}
