import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Field, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { OptionalViewer, Public, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { Terms } from '../../platform/commands/terms.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { AcceptTerms } from './commands/accept-terms.js';
import { FlagResult } from '../../platform/errors/refusal.js';

@ObjectType({ description: 'The current terms of use.' })
export class TermsOfUse {
  @Field(() => String) readonly version!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Plain text; null for the built-in terms, which clients ship.',
  })
  readonly text!: string | null;
  @Field(() => Boolean, { description: 'Whether the caller has to accept them before any other write.' })
  readonly mustAccept!: boolean;
}

@Resolver()
export class TermsResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly terms: Terms,
  ) {}

  @Public()
  @Query(() => TermsOfUse)
  async getTerms(@OptionalViewer() viewer: Viewer | null): Promise<TermsOfUse> {
    const { version, text } = this.terms;
    return { version, text, mustAccept: viewer !== null && (await this.terms.mustAccept(viewer.studentId)) };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'Accepts the given version of the terms of use.',
  })
  async acceptTerms(
    @Context() request: RequestContext,
    @Args('version', { type: () => String }) version: string,
  ): Promise<FlagResult> {
    await this.commands.execute(new AcceptTerms(commandContext(request, 'acceptTerms'), version));
    return { flag: 1 };
  }
}
