import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  parseContacts,
  invitationDecider,
  createInvitation,
  revokeInvitation,
  spaceDecider,
  type Authority,
  type InvitationDetails,
} from '@nimo/domain';
import { configuredProviders, type ProviderSettings } from '../../../platform/auth/identities.js';
import { deterministicId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SETTINGS } from '../../../platform/config/tokens.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';
import { Invitations } from '../invitations.js';

export interface InvitationRequest extends Omit<InvitationDetails, 'contacts'> {
  /** Pasted list of contacts; ignored for other kinds. */
  readonly contacts: string | null;
}

/** Returns the ID of the invitation. */
export class CreateInvitation extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly request: InvitationRequest,
  ) {
    super();
  }
}

@CommandHandler(CreateInvitation)
export class CreateInvitationHandler implements ICommandHandler<CreateInvitation> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly invitations: Invitations,
    @Inject(SETTINGS) private readonly settings: ProviderSettings,
  ) {}

  async execute({ context, spaceId, request }: CreateInvitation): Promise<string> {
    const { by } = context;
    const invitationId = deterministicId(context, 'invitation');
    const listed = request.kind === 'LIST' ? parseContacts(request.contacts ?? '') : [];
    await this.invitations.assertBelowLimit(spaceId);
    const space = aggregate(spaceDecider, spaceId);
    const invitation = aggregate(invitationDecider, invitationId);
    const now = this.commands.now();
    await this.commands.run(context, {
      on: invitation,
      reads: [space],
      decide: (state, streams) => {
        const { entry } = streams.state(space) ?? {};
        const details = {
          ...request,
          provider: this.enabledProvider(request.provider),
          contacts: listed.length,
        };
        return createInvitation({ by, invitationId, spaceId, entry, details, now }, state);
      },
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
    // From the log, because a repeated command has a different time.
    const state = await this.commands.state(invitation);
    if (state) await this.invitations.add(state, by.kind === 'student' ? by.studentId : null, listed);
    return invitationId;
  }

  /** Null if the provider is not enabled. */
  private enabledProvider(provider: string | null): string | null {
    return configuredProviders(this.settings).find(({ id, client }) => client && id === provider)?.id ?? null;
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
      visibleIn: STAFF_ACTION_PROJECTIONS,
    });
    // Even if already revoked in the log: an earlier attempt may have failed in between.
    await this.invitations.revoke(invitationId);
  }
}
