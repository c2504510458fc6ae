import { Argument, type Command } from 'commander';
import { findManagedStudent, type ManagedSpaceView, type ManagedStudentView } from '@nimo/projections';
import type { Role } from '@nimo/domain';
import { GrantRole, RevokeRole } from '../../features/students/commands/roles.js';
import { confirm } from '../confirm.js';
import { EXIT, helpText } from '../failure.js';
import { resolveSpace, studentText, resolveStudent } from '../lookup.js';
import { asOperator, type OperatorSession } from '../cli-session.js';
import { printResult, type JsonFlag } from '../output.js';

interface RoleFlags extends JsonFlag {
  readonly space?: string;
  readonly yes?: true;
}

const ROLES = { moderator: 'MODERATOR', maintainer: 'MAINTAINER' } as const satisfies Record<string, Role>;
type RoleName = keyof typeof ROLES;
const roleArgument = () => new Argument('<role>', 'the role').choices(Object.keys(ROLES));

export function roleCommands(program: Command): void {
  program
    .command('grant')
    .addArgument(roleArgument())
    .argument('<user>', 'username, phone number or ID')
    .option('--space <space>', 'name or ID of the space to moderate (default: all spaces)')
    .option('--json', 'print the result as JSON')
    .description('make a student a moderator or maintainer')
    .addHelpText('after', helpText('grant moderator asha --space "Greenfield High"', ROLE_HELP))
    .action((role: RoleName, user: string, flags: RoleFlags, command: Command) => {
      rejectSpaceForMaintainer(role, flags, command);
      return asOperator(async (session) => {
        const [student, space] = await resolveTarget(session, user, flags);
        await session.execute(
          new GrantRole(session.context(), {
            studentId: student._id,
            role: ROLES[role],
            spaceId: space?._id ?? null,
          }),
          {
            changed: flags.json
              ? undefined
              : `Granted the role ${roleText(role, space)} to ${student.userName}.`,
            unchanged: `${student.userName} already has the role ${roleText(role, space)}. Nothing changed.`,
          },
        );
        await show(session, student._id, flags);
      });
    });
  program
    .command('revoke')
    .addArgument(roleArgument())
    .argument('<user>', 'username, phone number or ID')
    .option('--space <space>', 'name or ID of the space (default: the role for all spaces)')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print the result as JSON')
    .description('revoke a role, even from the last maintainer, which the web app does not allow')
    .addHelpText('after', helpText('revoke moderator asha --space "Greenfield High" --yes', ROLE_HELP))
    .action((role: RoleName, user: string, flags: RoleFlags, command: Command) => {
      rejectSpaceForMaintainer(role, flags, command);
      return asOperator(async (session) => {
        const [student, space] = await resolveTarget(session, user, flags);
        await confirm(`Revoke the role ${roleText(role, space)} from ${student.userName}?`, flags);
        await session.execute(
          new RevokeRole(session.context(), {
            studentId: student._id,
            role: ROLES[role],
            spaceId: space?._id ?? null,
          }),
          {
            changed: flags.json
              ? undefined
              : `Revoked the role ${roleText(role, space)} from ${student.userName}.`,
            unchanged: `${student.userName} does not have the role ${roleText(role, space)}. Nothing changed.`,
          },
        );
        await show(session, student._id, flags);
      });
    });
}

const roleText = (role: RoleName, space: ManagedSpaceView | undefined): string =>
  role === 'maintainer' ? role : `${role} of ${space ? `"${space.name}"` : 'all spaces'}`;

function rejectSpaceForMaintainer(role: RoleName, { space }: RoleFlags, command: Command): void {
  if (role === 'maintainer' && space !== undefined)
    command.error('error: --space is for moderators only: maintainers are responsible for all spaces', {
      exitCode: EXIT.usage,
    });
}

const resolveTarget = async (
  session: OperatorSession,
  user: string,
  { space }: RoleFlags,
): Promise<readonly [ManagedStudentView, ManagedSpaceView | undefined]> => [
  await resolveStudent(session, user),
  space === undefined ? undefined : await resolveSpace(session, space),
];

async function show({ pool }: OperatorSession, studentId: string, flags: RoleFlags): Promise<void> {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new Error('student no longer found');
  printResult(student, flags, () => studentText(student));
}

const ROLE_HELP = "Takes effect from the student's next request. The audit records you as the operator.";
