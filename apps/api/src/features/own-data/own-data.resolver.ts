import { Args, Field, Int, Mutation, ObjectType, Query, registerEnumType, Resolver } from '@nestjs/graphql';
import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OwnExports, type OwnExportState, type OwnExportStatus } from './own-exports.js';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ownDataLanguage } from './own-page.js';
import { HttpViewers } from '../../platform/auth/session-reader.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { oldNameOf } from '../schema/interfaces.js';

const OwnExportStatusEnum: { readonly [S in OwnExportStatus]: S } = {
  WAITING: 'WAITING',
  WORKING: 'WORKING',
  READY: 'READY',
  FAILED: 'FAILED',
};
registerEnumType(OwnExportStatusEnum, { name: 'OwnExportStatus' });

@ObjectType({
  description: "Export of all of the caller's data, served at /own-data/export.zip once it is READY.",
})
class OwnExport {
  @Field(() => OwnExportStatusEnum) readonly status!: OwnExportStatus;
  @Field(() => Int) readonly percent!: number;
  @Field(() => String) readonly requestedAt!: string;
  @Field(() => String, oldNameOf('requestedAt')) readonly askedAt!: string;
  @Field(() => String, { nullable: true, description: 'When the download expires.' })
  readonly expiresAt!: string | null;
  @Field(() => Int, { nullable: true, description: 'Kilobytes, rounded up.' }) readonly kilobytes!:
    | number
    | null;
}

const ownExportOf = ({ status, percent, askedAt, expiresAt, bytes }: OwnExportState): OwnExport => ({
  status,
  percent,
  requestedAt: askedAt.toISOString(),
  askedAt: askedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  kilobytes: bytes === null ? null : Math.ceil(bytes / 1024),
});

const LANGUAGE = 'Language of the readable page: en, de, es, it or ru.';

/** Exports of everything stored about the caller. */
@Resolver()
export class OwnDataResolver {
  constructor(private readonly exports: OwnExports) {}

  @SignedIn()
  @Query(() => OwnExport, { nullable: true })
  async getOwnExport(@CurrentViewer() viewer: Viewer): Promise<OwnExport | null> {
    const state = await this.exports.find(viewer.studentId);
    return state ? ownExportOf(state) : null;
  }

  @SignedIn()
  @Limited('ownExports')
  @Mutation(() => OwnExport, {
    description: 'One at a time: an export in progress continues, a finished one is replaced.',
  })
  async requestOwnExport(
    @CurrentViewer() viewer: Viewer,
    @Args('language', {
      type: () => String,
      nullable: true,
      description: LANGUAGE,
    })
    language?: string | null,
  ): Promise<OwnExport> {
    return ownExportOf(await this.exports.request(viewer.studentId, ownDataLanguage.parse(language)));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Deletes or cancels the export. Flag 0: there is none.' })
  async deleteOwnExport(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    return { flag: (await this.exports.discard(viewer.studentId)) ? 1 : 0 };
  }

  @SignedIn()
  @Limited('ownExports')
  @Mutation(() => OwnExport, oldNameOf('requestOwnExport'))
  askOwnExport(
    @CurrentViewer() viewer: Viewer,
    @Args('language', { type: () => String, nullable: true, description: LANGUAGE })
    language?: string | null,
  ): Promise<OwnExport> {
    return this.requestOwnExport(viewer, language);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, oldNameOf('deleteOwnExport'))
  dropOwnExport(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    return this.deleteOwnExport(viewer);
  }
}

/** Authenticated by header, as everywhere: the URL alone grants nothing. */
@Controller('own-data')
export class OwnDataController {
  constructor(
    private readonly exports: OwnExports,
    private readonly viewers: HttpViewers,
  ) {}

  @SignedIn()
  @Get('export.zip')
  async file(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const viewer = await this.viewers.of(request);
    if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
    const file = await this.exports.openFile(viewer.studentId);
    if (!file) throw new ApiError('NOT_FOUND', 'There is no export to download. Request a new one.');
    void reply.header('cache-control', 'private, no-store');
    const day = new Date().toISOString().slice(0, 10);
    return new StreamableFile(file.stream, {
      type: 'application/zip',
      disposition: `attachment; filename="nimo-data-${day}.zip"`,
      length: file.bytes,
    });
  }
}
