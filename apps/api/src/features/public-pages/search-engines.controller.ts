import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import { listIndexedQuestions, listIndexedSpaces } from '@nimo/projections';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { validate } from 'uuid';
import { Public } from '../../platform/auth/access.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { siteOrigin } from '../../platform/web/public-address.js';
import { etagOf, isKnown } from '../../platform/web/static-web.js';
import { robotsText, sitemapIndex, sitemapOfQuestions } from './public-pages.js';

/** With these bounds an index names at most 50,000 maps, as the protocol allows, and a map stays below a megabyte. */
const MAX_SPACES = 5_000;
const QUESTIONS_A_MAP = 5_000;
const MAPS_A_SPACE = 10;

/** What search engines ask a site for, besides its pages. */
@Controller()
export class SearchEnginesController {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'publicUrl'>,
  ) {}

  @Public()
  @Get('robots.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  robots(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    return unlessKnown(request, reply, robotsText(siteOrigin(request, this.settings.publicUrl)));
  }

  @Public()
  @Get('sitemap.xml')
  @Header('content-type', 'application/xml; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  async index(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const origin = this.originOf(request);
    const spaces = await listIndexedSpaces(this.pool, MAX_SPACES);
    const text = sitemapIndex(
      spaces.flatMap(({ spaceId, questions }) => {
        const maps = Math.min(MAPS_A_SPACE, Math.ceil(questions / QUESTIONS_A_MAP));
        return Array.from({ length: maps }, (_, map) => `${origin}/sitemap/${spaceId}/${map + 1}.xml`);
      }),
    );
    return unlessKnown(request, reply, text);
  }

  @Public()
  @Get('sitemap/:space/:file')
  @Header('content-type', 'application/xml; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  async questions(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('space') space: string,
    @Param('file') file: string,
  ): Promise<string | undefined> {
    const page = Number(/^([1-9]\d?)\.xml$/.exec(file)?.[1] ?? 0);
    if (!validate(space) || page < 1 || page > MAPS_A_SPACE) throw new ApiError('NOT_FOUND', 'Not found.');
    const origin = this.originOf(request);
    const asked = { spaceId: space.toLowerCase(), page, limit: QUESTIONS_A_MAP };
    const questions = await listIndexedQuestions(this.pool, asked);
    if (questions.length === 0) throw new ApiError('NOT_FOUND', 'Not found.');
    return unlessKnown(request, reply, sitemapOfQuestions(origin, questions));
  }

  private originOf(request: FastifyRequest): string {
    const origin = siteOrigin(request, this.settings.publicUrl);
    if (origin === undefined) throw new ApiError('NOT_FOUND', 'Not found.');
    return origin;
  }
}

/** The text, or nothing with 304 for whoever has it. */
function unlessKnown({ headers }: FastifyRequest, reply: FastifyReply, text: string): string | undefined {
  const etag = etagOf(text);
  void reply.header('etag', etag);
  if (!isKnown(etag, headers['if-none-match'])) return text;
  void reply.code(304);
  return undefined;
}
