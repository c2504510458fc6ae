import type { DomainEvent } from '@nimo/domain';
import type { Command } from 'commander';

/** What a command leaves in the log: events that name the operator, or nothing, for a reason. */
export type CommandTrace =
  | { readonly events: readonly DomainEvent['type'][] }
  | { readonly noTraceBecause: string };

const leaves = (...events: readonly DomainEvent['type'][]): CommandTrace => ({ events });
const nothing = (noTraceBecause: string): CommandTrace => ({ noTraceBecause });

/** Every command of `nimo` by its words. Nothing changes or shows what only staff see without telling the log who did. */
export const commandTraces: Readonly<Record<string, CommandTrace>> = {
  'import stackexchange': leaves('SpaceCreated', 'StudentImported', 'QuestionAsked', 'SpaceChanged'),
  'import space': leaves('SpaceCreated', 'StudentImported', 'QuestionAsked', 'SpaceChanged'),
  'import remove': leaves('ErasureAsked', 'SpaceRemoved'),
  'seed-demo': nothing('its events are nobody’s: public content that a first start makes without anybody'),
  'close-demo': leaves('RoleRevoked', 'StudentBlocked'),
  'space list': nothing('spaces as their members see them'),
  'space add': leaves('SpaceCreated'),
  'space change': leaves('SpaceChanged'),
  'space export': leaves('ConfidentialDataRead'),
  'subject list': nothing('what is asked about, nobody’s data'),
  'subject add': leaves('SubjectAdded'),
  'subject change': leaves('SubjectChanged'),
  'topic list': nothing('what is asked about, nobody’s data'),
  'topic add': leaves('TopicCreated'),
  'topic change': leaves('TopicChanged'),
  'student show': leaves('ConfidentialDataRead'),
  'student block': leaves('StudentBlocked'),
  'student unblock': leaves('StudentUnblocked'),
  'student erase': leaves('ErasureAsked'),
  'student keep': leaves('ErasureWithdrawn'),
  'student reset-second-factor': leaves('SecondFactorReset'),
  grant: leaves('RoleGranted'),
  revoke: leaves('RoleRevoked'),
  backup: leaves('ConfidentialDataRead'),
  restore: nothing('the log comes back as it was, so that its chain and the witnesses’ heads still fit it'),
  doctor: nothing('it looks at settings and servers, and at nobody’s data'),
  'database prepare': nothing('tables and roles of this version, made before there may be a log'),
  'log verify': nothing('counts and hashes, which tell nothing of an event'),
  'log head': nothing('counts and hashes, which tell nothing of an event'),
  'log public-key': nothing('a key that is meant for everybody'),
  'log prove': leaves('ConfidentialDataRead'),
  'log check-bundle': nothing('it looks at a file and a key, and at no log'),
  'log export': leaves('ConfidentialDataRead'),
  'log import': nothing('the log must stay as it is in the file, so that their chains are the same'),
  'log copy': leaves('ConfidentialDataRead'),
  'keys status': nothing('counts, which tell nothing of anybody'),
  'keys rotate': leaves('ClaimReserved', 'ClaimConfirmed'),
  'projections list': nothing('the state of the machinery, nobody’s data'),
  'projections status': nothing('the state of the machinery, nobody’s data'),
  'projections rebuild': leaves('ProjectionRebuildStarted'),
  'projections cancel': leaves('ProjectionRebuildCancelled', 'ProjectionVerificationCancelled'),
  'projections switch': leaves('ProjectionSwitched'),
  'projections verify': leaves('ProjectionVerificationStarted'),
  'projections retry': leaves('ProjectionEventRetried'),
  'projections skip': leaves('ProjectionEventSkipped'),
  'scoring show': nothing('rules, nobody’s data'),
  'scoring try': nothing('names and scores as leaderboards tell every member, under other rules'),
  'scoring publish': leaves('ScoringRulesPublished'),
  'scoring withdraw': leaves('ScoringRulesWithdrawn'),
};

/** The words of every command that does something: groups of commands are left out. */
export function namesOfCommands({ commands }: Command, group = ''): readonly string[] {
  return commands.flatMap((command) =>
    command.commands.length > 0
      ? namesOfCommands(command, `${group}${command.name()} `)
      : [`${group}${command.name()}`],
  );
}
