import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  contactsIn,
  invitationDecider,
  makeInvitation,
  revokeInvitation,
  spaceDecider,
  type Authority,
  type InvitationDetails,
} from '@nimo/domain';
import { providersOf, type ProviderSettings } from '../../../platform/auth/identities.js';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SETTINGS } from '../../../platform/config/tokens.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';
import { Invitations } from '../invitations.js';

export interface AskedInvitation extends Omit<InvitationDetails, 'contacts'> {
  /** A pasted list; of other kinds nobody looks at it. */
  readonly contacts: string | null;
}

/** Answers with the id of the invitation. */
export class MakeInvitation extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly asked: AskedInvitation,
  ) {
    super();
  }
}

@CommandHandler(MakeInvitation)
export class MakeInvitationHandler implements ICommandHandler<MakeInvitation> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly invitations: Invitations,
    @Inject(SETTINGS) private readonly settings: ProviderSettings,
  ) {}

  async execute({ context, spaceId, asked }: MakeInvitation): Promise<string> {
    const { by } = context;
    const invitationId = createdId(context, 'invitation');
    const listed = asked.kind === 'LIST' ? contactsIn(asked.contacts ?? '') : [];
    await this.invitations.requireRoom(spaceId);
    const space = aggregate(spaceDecider, spaceId);
    const invitation = aggregate(invitationDecider, invitationId);
    const now = this.commands.now();
    await this.commands.run(context, {
      on: invitation,
      reads: [space],
      decide: (state, streams) => {
        const { entry } = streams.state(space) ?? {};
        const details = { ...asked, provider: this.configured(asked.provider), contacts: listed.length };
        return makeInvitation({ by, invitationId, spaceId, entry, details, now }, state);
      },
      visibleIn: ACT_VISIBLE_IN,
    });
    // What the log says, also where the command is repeated: its time was another.
    const made = await this.commands.state(invitation);
    if (made) await this.invitations.add(made, by.kind === 'student' ? by.studentId : null, listed);
    return invitationId;
  }

  /** Null where nobody can log in with it here. */
  private configured(provider: string | null): string | null {
    return providersOf(this.settings).find(({ id, client }) => client && id === provider)?.id ?? null;
  }
}

export class RevokeInvitation extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly invitationId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeInvitation)
export class RevokeInvitationHandler implements ICommandHandler<RevokeInvitation> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly invitations: Invitations,
  ) {}

  async execute({ context, spaceId, invitationId }: RevokeInvitation): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(invitationDecider, invitationId),
      decide: (state) => revokeInvitation({ by: context.by, spaceId, invitationId }, state),
      visibleIn: ACT_VISIBLE_IN,
    });
    // Again where the log has it already: whoever was cut off in between presses the button once more.
    await this.invitations.revoke(invitationId);
  }
}
