import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, membershipDecider, requestEntry, spaceDecider, withdrawEntryRequest } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export class RequestEntry extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    readonly text: string | null,
  ) {
    super();
  }
}

@CommandHandler(RequestEntry)
export class RequestEntryHandler implements ICommandHandler<RequestEntry> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, text }: RequestEntry): Promise<void> {
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [space],
      decide: (state, streams) => {
        const { entry, consentAge } = streams.state(space) ?? {};
        return requestEntry({ actor: context.by, spaceId, entry, consentAge, text }, state);
      },
      visibleIn: ['spaces'],
    });
  }
}

export class WithdrawEntryRequest extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(WithdrawEntryRequest)
export class WithdrawEntryRequestHandler implements ICommandHandler<WithdrawEntryRequest> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: WithdrawEntryRequest): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      decide: (state) => withdrawEntryRequest({ actor: context.by, spaceId }, state),
      visibleIn: ['spaces'],
    });
  }
}
