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
import { weakEtag, matchesEtag } from '../../platform/web/static-web.js';
import { robotsText, sitemapIndex, sitemapOfQuestions } from './public-pages.js';

/** With these limits an index has at most 50,000 sitemaps, as the protocol allows, and a sitemap stays below 1 MB. */
const MAX_SPACES = 5_000;
const QUESTIONS_PER_SITEMAP = 5_000;
const SITEMAPS_PER_SPACE = 10;

/** Serves robots.txt and sitemaps. */
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
    return textOrNotModified(request, reply, robotsText(siteOrigin(request, this.settings.publicUrl)));
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
        const sitemaps = Math.min(SITEMAPS_PER_SPACE, Math.ceil(questions / QUESTIONS_PER_SITEMAP));
        return Array.from(
          { length: sitemaps },
          (_, index) => `${origin}/sitemap/${spaceId}/${index + 1}.xml`,
        );
      }),
    );
    return textOrNotModified(request, reply, text);
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
    if (!validate(space) || page < 1 || page > SITEMAPS_PER_SPACE)
      throw new ApiError('NOT_FOUND', 'Not found.');
    const origin = this.originOf(request);
    const query = { spaceId: space.toLowerCase(), page, limit: QUESTIONS_PER_SITEMAP };
    const questions = await listIndexedQuestions(this.pool, query);
    if (questions.length === 0) throw new ApiError('NOT_FOUND', 'Not found.');
    return textOrNotModified(request, reply, sitemapOfQuestions(origin, questions));
  }

  private originOf(request: FastifyRequest): string {
    const origin = siteOrigin(request, this.settings.publicUrl);
    if (origin === undefined) throw new ApiError('NOT_FOUND', 'Not found.');
    return origin;
  }
}

/** Returns the text, or sends 304 if the client has it. */
function textOrNotModified(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  text: string,
): string | undefined {
  const etag = weakEtag(text);
  void reply.header('etag', etag);
  if (!matchesEtag(etag, headers['if-none-match'])) return text;
  void reply.code(304);
  return undefined;
}
