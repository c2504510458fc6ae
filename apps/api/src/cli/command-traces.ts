import type { DomainEvent } from '@nimo/domain';
import type { Command } from 'commander';

/** Audit trace of a command: the events that name the operator, or the reason for having none. */
export type CommandTrace =
  | { readonly events: readonly DomainEvent['type'][] }
  | { readonly noTraceBecause: string };

const records = (...events: readonly DomainEvent['type'][]): CommandTrace => ({ events });
const noTrace = (noTraceBecause: string): CommandTrace => ({ noTraceBecause });

/** Traces by command. No command may change anything, or show confidential data, without recording the operator in the log. */
export const commandTraces: Readonly<Record<string, CommandTrace>> = {
  'import stackexchange': records('SpaceCreated', 'StudentImported', 'QuestionAsked', 'SpaceChanged'),
  'import space': records('SpaceCreated', 'StudentImported', 'QuestionAsked', 'SpaceChanged'),
  'import remove': records('ErasureAsked', 'SpaceRemoved'),
  'seed-demo': noTrace('creates public demo content without an actor, as the first start does'),
  'close-demo': records('RoleRevoked', 'StudentBlocked'),
  'space list': noTrace('shows spaces as their members see them'),
  'space add': records('SpaceCreated'),
  'space change': records('SpaceChanged'),
  'space archive': records('SpaceArchived'),
  'space unarchive': records('SpaceUnarchived'),
  'space delete': records('SpaceRemoved'),
  'space export': records('ConfidentialDataRead'),
  'space invitations': noTrace('shows invitations and the usernames of invited students, as to staff'),
  'space invite': records('InvitationMade', 'StudentInvited'),
  'space revoke-invitation': records('InvitationRevoked', 'StudentInvitationRevoked'),
  'subject list': noTrace('shows no personal data'),
  'subject add': records('SubjectAdded'),
  'subject change': records('SubjectChanged'),
  'topic list': noTrace('shows no personal data'),
  'topic add': records('TopicCreated'),
  'topic change': records('TopicChanged'),
  'student show': records('ConfidentialDataRead'),
  'student block': records('StudentBlocked'),
  'student unblock': records('StudentUnblocked'),
  'student erase': records('ErasureAsked'),
  'student cancel-erasure': records('ErasureWithdrawn'),
  'student reset-second-factor': records('SecondFactorReset'),
  grant: records('RoleGranted'),
  revoke: records('RoleRevoked'),
  backup: records('ConfidentialDataRead'),
  restore: noTrace('the restored log must still match its chain and signed heads'),
  doctor: noTrace('checks settings and servers only'),
  'database prepare': noTrace('creates tables and roles, possibly before there is a log'),
  'log verify': noTrace('shows counts and hashes only'),
  'log head': noTrace('shows counts and hashes only'),
  'log public-key': noTrace('shows a public key'),
  'log prove': records('ConfidentialDataRead'),
  'log check-bundle': noTrace('reads a file and a key, not the log'),
  'log export': records('ConfidentialDataRead'),
  'log import': noTrace('the imported log must have the same chain as the file'),
  'log copy': records('ConfidentialDataRead'),
  'keys status': noTrace('shows counts only'),
  'keys rotate': records('ClaimReserved', 'ClaimConfirmed'),
  'projections list': noTrace('shows no personal data'),
  'projections status': noTrace('shows no personal data'),
  'projections rebuild': records('ProjectionRebuildStarted'),
  'projections cancel': records('ProjectionRebuildCancelled', 'ProjectionVerificationCancelled'),
  'projections switch': records('ProjectionSwitched'),
  'projections verify': records('ProjectionVerificationStarted'),
  'projections retry': records('ProjectionEventRetried'),
  'projections skip': records('ProjectionEventSkipped'),
  'scoring show': noTrace('shows no personal data'),
  'scoring try': noTrace('shows what leaderboards show every member, under other rules'),
  'scoring publish': records('ScoringRulesPublished'),
  'scoring withdraw': records('ScoringRulesWithdrawn'),
};

/** Full names of all commands, without the groups. */
export function commandNames({ commands }: Command, group = ''): readonly string[] {
  return commands.flatMap((command) =>
    command.commands.length > 0
      ? commandNames(command, `${group}${command.name()} `)
      : [`${group}${command.name()}`],
  );
}
