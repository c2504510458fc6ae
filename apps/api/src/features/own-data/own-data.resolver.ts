import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { FlagResult } from '../sessions/login-result.type.js';
import { ownDataLanguage } from './own-data-language.js';
import { OwnExport, ownExportOf } from './own-export.type.js';
import { OwnExports } from './own-exports.js';

/** A copy of everything that is kept of the caller. */
@Resolver()
export class OwnDataResolver {
  constructor(private readonly exports: OwnExports) {}

  @SignedIn()
  @Query(() => OwnExport, { nullable: true })
  async getOwnExport(@CurrentViewer() viewer: Viewer): Promise<OwnExport | null> {
    const state = await this.exports.of(viewer.studentId);
    return state ? ownExportOf(state) : null;
  }

  @SignedIn()
  @Limited('ownExports')
  @Mutation(() => OwnExport, {
    description: 'One at a time: one that is on its way goes on, a finished one is replaced.',
  })
  async askOwnExport(
    @CurrentViewer() viewer: Viewer,
    @Args('language', {
      type: () => String,
      nullable: true,
      description: 'Of the readable page: en, de, es, it or ru.',
    })
    language?: string | null,
  ): Promise<OwnExport> {
    return ownExportOf(await this.exports.ask(viewer.studentId, ownDataLanguage.parse(language)));
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Deletes the copy, or ends its making. Flag 0: there is none.' })
  async dropOwnExport(@CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    return { flag: (await this.exports.end(viewer.studentId)) ? 1 : 0 };
  }
}
