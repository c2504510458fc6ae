import { Args, Context, ID, Mutation, registerEnumType, Resolver } from '@nestjs/graphql';
import type { ContactKind } from '@nimo/domain';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ChangeContact } from './commands/change-contact.js';
import { ContactChangeStart, StartedContactChange } from './contact-change-start.js';
import { ContactChanges } from './contact-changes.js';
import { FlagResult } from '../../platform/errors/refusal.js';

type ContactKindName = 'PHONE' | 'EMAIL';
const ContactKindEnum: { readonly [K in ContactKindName]: K } = { PHONE: 'PHONE', EMAIL: 'EMAIL' };
registerEnumType(ContactKindEnum, { name: 'ContactKind' });

const kindOf = (name: ContactKindName): ContactKind => (name === 'PHONE' ? 'phone' : 'email');

/** The own phone and address: correcting them, or giving the one that is missing. */
@Resolver()
export class ContactChangesResolver {
  constructor(
    private readonly starts: ContactChangeStart,
    private readonly changes: ContactChanges,
    private readonly commands: CommandBus,
  ) {}

  @SignedIn()
  @Limited('contactChanges')
  @Mutation(() => StartedContactChange, {
    description:
      'Sends a code to the new contact and one to the account, which finishContactChange takes. The rule CHALLENGE_REQUIRED asks for a `proof` (createSendChallenge).',
  })
  startContactChange(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('kind', { type: () => ContactKindEnum }) kind: ContactKindName,
    @Args('value', { type: () => String }) value: string,
    @Args('password', { type: () => String, description: 'Empty for an account that has none.' })
    password: string,
    @Args('via', {
      type: () => ContactKindEnum,
      nullable: true,
      description: 'Which own contact gets a code: the other one where the former is lost.',
    })
    via?: ContactKindName | null,
    @Args('proof', { type: () => String, nullable: true }) proof?: string | null,
  ): Promise<StartedContactChange> {
    return this.starts.start({
      viewer,
      client,
      contact: { kind: kindOf(kind), value },
      password,
      via: via ? kindOf(via) : null,
      proof: proof ?? null,
    });
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, {
    description: 'With both codes. Ends every other session, and tells the former contact.',
  })
  async finishContactChange(
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('newCode', { type: () => String }) newCode: string,
    @Args('ownCode', { type: () => String, nullable: true }) ownCode?: string | null,
  ): Promise<FlagResult> {
    const given = { newCode: newCode.trim(), ownCode: (ownCode ?? '').trim() };
    const { contact, isDone } = await this.changes.redeem(viewer.studentId, id, given);
    if (!isDone) {
      // One change is one command, however often its codes are given.
      const context = { ...commandOf(request, 'finishContactChange'), commandId: id };
      await this.commands.execute(new ChangeContact(context, contact, viewer.sessionId));
      await this.changes.done(id);
    }
    return { flag: 1 };
  }
}
