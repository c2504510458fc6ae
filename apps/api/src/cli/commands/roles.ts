import { Argument, type Command } from 'commander';
import { findManagedStudent, type ManagedSpaceView, type ManagedStudentView } from '@nimo/projections';
import type { Role } from '@nimo/domain';
import { GrantRole, RevokeRole } from '../../features/students/commands/roles.js';
import { askFirst } from '../ask-first.js';
import { EXIT, helpText } from '../failure.js';
import { spaceNamed, studentLines, studentNamed } from '../lookup.js';
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
    .argument('<user>', 'user name, phone number or id')
    .option('--space <space>', 'name or id of the one space that a moderator looks after; all without it')
    .option('--json', 'print as JSON')
    .description('make a student a moderator or a maintainer')
    .addHelpText('after', helpText('grant moderator asha --space "Greenfield High"', ROLE_HELP))
    .action((role: RoleName, user: string, flags: RoleFlags, command: Command) => {
      requireNoSpaceFor(role, flags, command);
      return asOperator(async (session) => {
        const [student, space] = await named(session, user, flags);
        await session.execute(
          new GrantRole(session.context(), {
            studentId: student._id,
            role: ROLES[role],
            spaceId: space?._id ?? null,
          }),
        );
        await show(session, student._id, flags);
      });
    });
  program
    .command('revoke')
    .addArgument(roleArgument())
    .argument('<user>', 'user name, phone number or id')
    .option('--space <space>', 'name or id of the space; without it the role for all spaces is taken')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON')
    .description('take a role from a student; also from the last maintainer, which the screens refuse')
    .addHelpText('after', helpText('revoke moderator asha --space "Greenfield High" --yes', ROLE_HELP))
    .action((role: RoleName, user: string, flags: RoleFlags, command: Command) => {
      requireNoSpaceFor(role, flags, command);
      return asOperator(async (session) => {
        const [student, space] = await named(session, user, flags);
        const where = role === 'maintainer' ? '' : ` of ${space ? `"${space.name}"` : 'all spaces'}`;
        await askFirst(`Take the role ${role}${where} from ${student.userName}?`, flags);
        await session.execute(
          new RevokeRole(session.context(), {
            studentId: student._id,
            role: ROLES[role],
            spaceId: space?._id ?? null,
          }),
        );
        await show(session, student._id, flags);
      });
    });
}

function requireNoSpaceFor(role: RoleName, { space }: RoleFlags, command: Command): void {
  if (role === 'maintainer' && space !== undefined)
    command.error('error: --space is for moderators: a maintainer is one of all spaces', {
      exitCode: EXIT.usage,
    });
}

const named = async (
  session: OperatorSession,
  user: string,
  { space }: RoleFlags,
): Promise<readonly [ManagedStudentView, ManagedSpaceView | undefined]> => [
  await studentNamed(session, user),
  space === undefined ? undefined : await spaceNamed(session, space),
];

async function show({ pool }: OperatorSession, studentId: string, flags: RoleFlags): Promise<void> {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new Error('a student that was found is gone');
  printResult(student, flags, () => studentLines(student));
}

const ROLE_HELP =
  "Whoever is signed in has or has not the role from the next request on. The audit shows the act as the operator's.";
