import { Args, Context, ID, Mutation, registerEnumType, Resolver } from '@nestjs/graphql';
import type { ContactKind } from '@nimo/domain';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
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

/** Changing or adding one’s own phone and email address. */
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
      'Sends one code to the new contact and one to the account, to pass to finishContactChange. On the rule CHALLENGE_REQUIRED, retry with a `proof` (createSendChallenge).',
  })
  startContactChange(
    @CurrentViewer() viewer: Viewer,
    @Context() { client }: RequestContext,
    @Args('kind', { type: () => ContactKindEnum }) kind: ContactKindName,
    @Args('value', { type: () => String }) value: string,
    @Args('password', { type: () => String, description: 'Empty if the account has none.' })
    password: string,
    @Args('via', {
      type: () => ContactKindEnum,
      nullable: true,
      description: 'The own contact that receives a code, for example EMAIL if the phone is lost.',
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
    description:
      'Completes the change with both codes. Ends all other sessions and notifies the previous contact.',
  })
  async finishContactChange(
    @CurrentViewer() viewer: Viewer,
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('newCode', { type: () => String }) newCode: string,
    @Args('ownCode', { type: () => String, nullable: true }) ownCode?: string | null,
  ): Promise<FlagResult> {
    const codes = { newCode: newCode.trim(), ownCode: (ownCode ?? '').trim() };
    const { contact, isDone } = await this.changes.redeem(viewer.studentId, id, codes);
    if (!isDone) {
      // Submitting the codes again repeats the same command.
      const context = { ...commandContext(request, 'finishContactChange'), commandId: id };
      await this.commands.execute(new ChangeContact(context, contact, viewer.sessionId));
      await this.changes.complete(id);
    }
    return { flag: 1 };
  }
}
