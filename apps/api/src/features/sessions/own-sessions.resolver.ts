import { Args, ID, Mutation, Query, Resolver, Field, ObjectType } from '@nestjs/graphql';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { deviceOf } from '../../platform/callers/client-address.js';
import { FlagResult } from '../../platform/errors/refusal.js';

@ObjectType({ description: "One of the student's sessions." })
class OwnSession {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { nullable: true }) readonly browser!: string | null;
  @Field(() => String, { nullable: true }) readonly system!: string | null;
  @Field(() => String) readonly address!: string;
  @Field(() => String) readonly createdAt!: string;
  @Field(() => String, { description: 'Accurate to the minute.' }) readonly lastUsedAt!: string;
  @Field(() => String) readonly expiresAt!: string;
  @Field(() => String, { nullable: true, description: 'When this session last confirmed the second factor.' })
  readonly factorAt!: string | null;
  @Field(() => Boolean, { description: 'Whether this request belongs to it.' }) readonly isCurrent!: boolean;
}

/** Lists and ends the viewer's own sessions. */
@Resolver()
export class OwnSessionsResolver {
  constructor(private readonly sessions: SessionStore) {}

  @SignedIn()
  @Query(() => [OwnSession], { description: "The caller's sessions, most recently used first." })
  async getSessions(@CurrentViewer() viewer: Viewer): Promise<OwnSession[]> {
    const sessions = await this.sessions.list(viewer.studentId);
    return sessions.map(
      ({ id, sessionId, address, userAgent, createdAt, lastUsedAt, expiresAt, factorAt }) => ({
        _id: id,
        ...deviceOf(userAgent),
        address,
        createdAt,
        lastUsedAt,
        expiresAt,
        factorAt,
        isCurrent: sessionId === viewer.sessionId,
      }),
    );
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'Flag 0: the caller has no such session, or it has already ended.',
  })
  async endSession(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID }, IdPipe) id: string,
  ): Promise<FlagResult> {
    return { flag: (await this.sessions.endOne(viewer.studentId, id)) ? 1 : 0 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: "Ends all of the caller's sessions except the current one." })
  async endOtherSessions(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    await this.sessions.endOthers(viewer.studentId, viewer.sessionId);
    return { flag: 1 };
  }
}
