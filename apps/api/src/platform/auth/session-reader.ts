import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../config/load-settings.js';
import { Messages } from '../pubsub/messages.js';
import { SETTINGS } from '../config/tokens.js';
import { ROLES_CHANGED_CHANNEL, type Session, SESSION_ENDED_CHANNEL, SessionStore } from './session-store.js';
import { bearerToken, hashToken, isTokenShaped, type Viewer } from './viewer.js';

/** Bounds staleness when a notification is lost. */
const CACHE_TTL_MS = 5_000;
const MAX_SESSIONS = 20_000;

interface SessionWatcher {
  /** @param id of an ended session, or of a student whose sessions all ended */
  readonly onEnd: (id: string) => void;
  /** Notifications may have been missed. */
  readonly onGap: () => void;
}

interface CachedSession {
  readonly session: Session;
  readonly viewer: Viewer;
  readonly readAt: number;
}

const hasFactorExpiredSince = ({ session: { factorUntil }, readAt }: CachedSession, now: number): boolean =>
  factorUntil !== null && readAt < factorUntil && now >= factorUntil;

/** Resolves tokens to viewers from a cache, which it uses only while connected to notifications of ended sessions. */
@Injectable()
export class SessionReader implements OnModuleInit, OnModuleDestroy {
  private readonly cache = new LRUCache<string, CachedSession>({ max: MAX_SESSIONS });
  private readonly watchers: SessionWatcher[] = [];
  private readonly unsubscribes: (() => void)[] = [];
  /** Incremented with every notification, so that an overlapping read is not cached. */
  private notifications = 0;

  constructor(
    private readonly sessions: SessionStore,
    private readonly messages: Messages,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'staffSecondFactor'>,
  ) {}

  async onModuleInit(): Promise<void> {
    this.sessions.onSessionEnd((id) => this.forget(id));
    this.sessions.onRolesChange((studentId) => this.dropRoles(studentId));
    this.unsubscribes.push(
      await this.messages.subscribe(SESSION_ENDED_CHANNEL, {
        onMessage: (id) => this.forget(id),
        onGap: () => this.clear(),
      }),
      await this.messages.subscribe(ROLES_CHANGED_CHANNEL, {
        onMessage: (studentId) => this.dropRoles(studentId),
        onGap: () => this.clear(),
      }),
    );
  }

  onModuleDestroy(): void {
    this.unsubscribes.forEach((unsubscribe) => unsubscribe());
  }

  async viewerOf(token: string): Promise<Viewer | null> {
    if (!isTokenShaped(token)) return null;
    const hash = hashToken(token);
    const now = Date.now();
    const cached = this.cache.get(hash);
    if (
      cached &&
      this.messages.isConnected &&
      now - cached.readAt < CACHE_TTL_MS &&
      now < cached.session.expiresAt &&
      !hasFactorExpiredSince(cached, now)
    ) {
      return cached.viewer;
    }
    const { notifications } = this;
    const session = await this.sessions.find(hash);
    if (!session) {
      this.cache.delete(hash);
      return null;
    }
    const viewer = this.toViewer(session, now);
    if (notifications === this.notifications)
      this.cache.set(session.sessionId, { session, viewer, readAt: now });
    return viewer;
  }

  /** For resources that must close when their session ends. */
  onSessionEnd(watcher: SessionWatcher): void {
    this.watchers.push(watcher);
  }

  /** @param id of a session or of a student */
  forget(id: string): void {
    this.notifications += 1;
    this.watchers.forEach(({ onEnd }) => onEnd(id));
    if (!this.cache.delete(id)) this.dropStudent(id);
  }

  /** Drops cached roles; the sessions stay open. */
  private dropRoles(studentId: string): void {
    this.notifications += 1;
    this.dropStudent(studentId);
  }

  private dropStudent(studentId: string): void {
    for (const [hash, { session }] of [...this.cache])
      if (session.studentId === studentId) this.cache.delete(hash);
  }

  private clear(): void {
    this.cache.clear();
    this.watchers.forEach(({ onGap }) => onGap());
  }

  /**
   * If staff need a second factor, a session without it holds no roles, so that every role check is behind the factor without knowing
   * about it.
   */
  private toViewer({ sessionId, studentId, roles, factorUntil }: Session, now: number): Viewer {
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

/** Resolves viewers of HTTP routes outside GraphQL. */
@Injectable()
export class HttpViewers {
  constructor(private readonly sessions: SessionReader) {}

  async of({ headers: { authorization } }: HttpRequest): Promise<Viewer | null> {
    return authorization === undefined ? null : this.sessions.viewerOf(bearerToken(authorization));
  }
}
