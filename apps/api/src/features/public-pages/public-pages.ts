import { Inject, Injectable } from '@nestjs/common';
import { findPublicQuestion } from '@nimo/projections';
import type { FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { validate } from 'uuid';
import type { Settings } from '../../platform/config/load-settings.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';
import { Turns } from '../../platform/runtime/turns.js';
import { whenGone } from '../../platform/runtime/when-gone.js';
import { ClientAddresses } from '../../platform/web/client-address.js';
import { siteOrigin } from '../../platform/web/site-origin.js';
import type { ServedPage } from '../../platform/web/static-web.js';
import { publicQuestionPage } from './public-question-page.js';
import type { PublicQuestion } from './public-question.js';

const QUESTION = /^\/question\/([^/]+)\/?$/;
const NOT_HERE: ServedPage = { status: 404, isIndexed: false };

/** The page is for crawlers and previews, and everybody may ask for it: the app shows the rest. */
const ANSWERS_SHOWN = 20;
const BODIES_SHOWN_BYTES = 128 * 1024;

/** What the server says itself of the addresses that are for everybody. */
@Injectable()
export class PublicPages {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'publicUrl'>,
    private readonly clients: ClientAddresses,
    private readonly turns: Turns,
  ) {}

  /** Comes back when the page may be made, which is to be begun at once. */
  async render(path: string, request: FastifyRequest): Promise<ServedPage | undefined> {
    const questionId = QUESTION.exec(path)?.[1]?.toLowerCase();
    if (questionId === undefined) return undefined;
    const question = validate(questionId) ? await this.question(questionId) : null;
    if (!question) return NOT_HERE;
    const { key } = this.clients.of(request.raw);
    await this.turns.enter(key, 0, whenGone(request.raw.socket));
    return publicQuestionPage(question, siteOrigin(request, this.settings.publicUrl));
  }

  /** As somebody sees it who is not signed in. */
  private async question(questionId: string): Promise<PublicQuestion | null> {
    const found = await findPublicQuestion(this.pool, {
      questionId,
      limit: ANSWERS_SHOWN,
      bodyBytes: BODIES_SHOWN_BYTES,
    });
    if (!found) return null;
    const accepted = found.question.acceptedAnswer?._id;
    const answers = found.answers.map((shown) => ({ ...shown, isAccepted: shown.answer._id === accepted }));
    return { ...found, answers };
  }
}
