import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/load-settings.js';
import { Messages } from '../pubsub/messages.js';
import { SETTINGS } from '../config/tokens.js';
import { ROLES_CHANGED_CHANNEL, type Session, SESSION_ENDED_CHANNEL, SessionStore } from './session-store.js';
import { bearerOf, hashOfToken, isTokenShaped, type Viewer } from './viewer.js';

/** Bounds how late a role is seen whose change was not heard of; ends and changes are told at once. */
const FRESH_FOR_MS = 5_000;
const MAX_SESSIONS = 20_000;

interface SessionWatcher {
  /** @param id of a session that ended, or of a student all of whose sessions did */
  readonly onEnd: (id: string) => void;
  /** Ends may have been missed. */
  readonly onGap: () => void;
}

interface Cached {
  readonly session: Session;
  readonly viewer: Viewer;
  readonly readAt: number;
}

const isFactorOverSince = ({ session: { factorUntil }, readAt }: Cached, now: number): boolean =>
  factorUntil !== null && readAt < factorUntil && now >= factorUntil;

/** Turns tokens into viewers without a query a request. Trusts its memory only while it would hear of an ended session. */
@Injectable()
export class SessionReader implements OnModuleInit, OnModuleDestroy {
  private readonly cache = new LRUCache<string, Cached>({ max: MAX_SESSIONS });
  private readonly watchers: SessionWatcher[] = [];
  private readonly unsubscribes: (() => void)[] = [];
  /** Rises with every end that was heard, so that a read which overlapped one is not kept. */
  private ends = 0;

  constructor(
    private readonly sessions: SessionStore,
    private readonly messages: Messages,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'staffSecondFactor'>,
  ) {}

  async onModuleInit(): Promise<void> {
    this.sessions.whenEnded((id) => this.forget(id));
    this.sessions.whenRolesChange((studentId) => this.reread(studentId));
    this.unsubscribes.push(
      await this.messages.subscribe(SESSION_ENDED_CHANNEL, {
        onMessage: (id) => this.forget(id),
        onGap: () => this.mistrust(),
      }),
      await this.messages.subscribe(ROLES_CHANGED_CHANNEL, {
        onMessage: (studentId) => this.reread(studentId),
        onGap: () => this.mistrust(),
      }),
    );
  }

  onModuleDestroy(): void {
    this.unsubscribes.forEach((unsubscribe) => unsubscribe());
  }

  async viewerOf(token: string): Promise<Viewer | null> {
    if (!isTokenShaped(token)) return null;
    const hash = hashOfToken(token);
    const now = Date.now();
    const cached = this.cache.get(hash);
    if (
      cached &&
      this.messages.isConnected &&
      now - cached.readAt < FRESH_FOR_MS &&
      now < cached.session.expiresAt &&
      !isFactorOverSince(cached, now)
    ) {
      return cached.viewer;
    }
    const { ends } = this;
    const session = await this.sessions.find(hash);
    if (!session) {
      this.cache.delete(hash);
      return null;
    }
    const viewer = this.viewerIn(session, now);
    if (ends === this.ends) this.cache.set(session.sessionId, { session, viewer, readAt: now });
    return viewer;
  }

  /** For what was opened under a session and must end with it. */
  whenEnded(watcher: SessionWatcher): void {
    this.watchers.push(watcher);
  }

  /** @param id of a session or of a student */
  forget(id: string): void {
    this.ends += 1;
    this.watchers.forEach(({ onEnd }) => onEnd(id));
    if (!this.cache.delete(id)) this.forgetAllOf(id);
  }

  /** The sessions go on; what is open under them is not closed. */
  private reread(studentId: string): void {
    this.ends += 1;
    this.forgetAllOf(studentId);
  }

  private forgetAllOf(studentId: string): void {
    for (const [hash, { session }] of [...this.cache])
      if (session.studentId === studentId) this.cache.delete(hash);
  }

  private mistrust(): void {
    this.cache.clear();
    this.watchers.forEach(({ onGap }) => onGap());
  }

  /**
   * Where staff need a second factor, a session that has not given it holds no role: so every check of a role, here, in a
   * command or in a subscription, is behind the factor without knowing of it.
   */
  private viewerIn({ sessionId, studentId, roles, factorUntil }: Session, now: number): Viewer {
    const holdsRoles =
      this.settings.staffSecondFactor === 'offered' || (factorUntil !== null && now < factorUntil);
    return {
      kind: 'student',
      sessionId,
      studentId,
      roles: holdsRoles ? roles : [],
      withheldRoles: holdsRoles ? [] : roles,
      registered: true,
      blocked: false,
    };
  }
}

interface HttpRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

/** Who asks over HTTP outside of GraphQL: the same header, the same sessions. */
@Injectable()
export class HttpViewers {
  constructor(private readonly sessions: SessionReader) {}

  async of({ headers: { authorization } }: HttpRequest): Promise<Viewer | null> {
    return authorization === undefined ? null : this.sessions.viewerOf(bearerOf(authorization));
  }
}
