import { Mutation, Resolver } from '@nestjs/graphql';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { FlagResult } from './login-result.type.js';

@Resolver()
export class SessionsResolver {
  constructor(private readonly sessions: SessionStore) {}

  @SignedIn()
  @Mutation(() => FlagResult, { description: "Ends the caller's session." })
  async logout(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    await this.sessions.end(viewer.sessionId);
    return { flag: 1 };
  }
}
