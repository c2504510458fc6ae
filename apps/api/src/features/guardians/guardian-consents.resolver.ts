import { Args, Context, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { aggregate, DomainError, membershipDecider, spaceDecider, studentDecider } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { type GuardianConsentState, GuardianConsentStateEnum } from '../spaces/space.types.js';
import { Author } from '../students/student.types.js';
import { Public } from '../../platform/auth/access.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { Terms } from '../../platform/commands/terms.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { AnswerAsGuardian, type GuardianLink } from './commands/ask-guardian.js';
import { GuardianLinks } from './guardian-links.js';

@ObjectType({ description: 'A consent request, opened from the link in the email.' })
class GuardianConsent {
  @Field(() => String, { description: 'User name of the student.' }) readonly userName!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => String) readonly spaceDescription!: string;
  @Field(() => Int, { description: 'The student states that they are younger than this, in years.' })
  readonly consentAge!: number;
  @Field(() => GuardianConsentStateEnum) readonly state!: GuardianConsentState;
  @Field(() => String, { description: 'Version of the terms of use in force.' })
  readonly termsVersion!: string;
}

@ObjectType({ description: 'A student under the consent age of the space.' })
class YoungerStudent {
  @Field(() => ID, { description: 'Id of the student.' }) readonly _id!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => Int, { description: 'Consent age of the space when the student declared theirs, in years.' })
  readonly age!: number;
  @Field(() => DateTimeScalar) readonly statedAt!: string;
  @Field(() => GuardianConsentStateEnum, { nullable: true, description: 'Null if no guardian was asked.' })
  readonly consent!: GuardianConsentState | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of the latest request or answer.' })
  readonly consentAt!: string | null;
  @Field(() => String, { nullable: true, description: 'Version of the terms that the guardian accepted.' })
  readonly termsVersion!: string | null;
  @Field(() => Boolean) readonly isMember!: boolean;
}

@ObjectType()
export class YoungerStudentPage {
  @Field(() => [YoungerStudent]) readonly docs!: readonly YoungerStudent[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

const TOKEN = { type: () => String, description: 'The fragment of the link, after #.' } as const;

/** Consent by guardians, who have no account and are authorised by the link in the email. */
@Resolver()
export class GuardianConsentsResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    private readonly links: GuardianLinks,
    private readonly limiter: RateLimiter,
    private readonly terms: Terms,
  ) {}

  @Public()
  @Query(() => GuardianConsent, {
    description: 'The consent request behind the link in the email, with its state.',
  })
  async getGuardianConsent(
    @Context() { client }: RequestContext,
    @Args('token', TOKEN) token: string,
  ): Promise<GuardianConsent> {
    await this.limiter.use('guardianTriesPerAddress', client);
    return this.consentOf(await this.links.find(token));
  }

  @Public()
  @Limited('guardianTriesPerAddress')
  @Mutation(() => GuardianConsent, {
    description:
      'Gives, refuses or withdraws consent with the link in the email. Withdrawing ends the membership.',
  })
  async answerGuardianConsent(
    @Args('token', TOKEN) token: string,
    @Args('isGiven', { type: () => Boolean }) isGiven: boolean,
    @Args('termsVersion', { type: () => String, description: 'Version of the terms shown to the guardian.' })
    termsVersion: string,
  ): Promise<GuardianConsent> {
    const link = await this.links.find(token);
    if (isGiven && termsVersion !== this.terms.version) throw new DomainError('TERMS_CHANGED');
    await this.commands.execute(new AnswerAsGuardian(link, isGiven, this.terms.version));
    await this.links.complete(link);
    return this.consentOf(link);
  }

  private async consentOf({ id, spaceId, studentId }: GuardianLink): Promise<GuardianConsent> {
    const [space, student, { consent }] = await Promise.all([
      this.runner.state(aggregate(spaceDecider, spaceId)),
      this.runner.state(aggregate(studentDecider, studentId)),
      this.runner.state(aggregate(membershipDecider, spaceId, studentId)),
    ]);
    if (!space || !student?.profile || student.erased || consent?.id !== id)
      throw new DomainError('CONSENT_LINK_ENDED');
    return {
      userName: student.profile.userName,
      spaceName: space.name,
      spaceDescription: space.description,
      consentAge: consent.age,
      state: consent.standing,
      termsVersion: this.terms.version,
    };
  }
}
