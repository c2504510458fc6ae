import { Injectable } from '@nestjs/common';
import { SessionReader } from './session-reader.js';
import { bearerOf } from './session-token.js';
import type { Viewer } from './viewer.js';

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
