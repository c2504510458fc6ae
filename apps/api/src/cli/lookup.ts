import { isPhoneLogin, normalisePhone } from '@nimo/domain';
import {
  findManagedSpace,
  findManagedStudent,
  findSpaceIdsByName,
  listManagedSubjects,
  type ManagedSpaceView,
  type ManagedStudentView,
  type ManagedSubjectView,
  type ManagedTopicView,
  pageOfTopics,
} from '@nimo/projections';
import { validate } from 'uuid';
import type { OperatorSession } from './cli-session.js';
import { textTable } from './output.js';
import { NotFoundError } from './failure.js';

type Session = Pick<OperatorSession, 'pool' | 'accounts'>;

/** Finds a student by username, phone number or ID. @throws NotFoundError */
export async function resolveStudent({ pool, accounts }: Session, name: string): Promise<ManagedStudentView> {
  const found = await (validate(name)
    ? accounts.findById(name.toLowerCase())
    : accounts.find(
        isPhoneLogin(name)
          ? { kind: 'phone', value: normalisePhone(name) }
          : { kind: 'username', value: name },
      ));
  const student = found && (await findManagedStudent(pool, found.studentId));
  if (!student) throw new NotFoundError(`No student has the username, phone number or ID "${name}".`);
  return student;
}

/** Finds a space by name or ID. @throws NotFoundError also if several spaces have the name */
export async function resolveSpace({ pool }: Pick<Session, 'pool'>, name: string): Promise<ManagedSpaceView> {
  const ids = validate(name) ? [name.toLowerCase()] : await findSpaceIdsByName(pool, name);
  if (ids.length > 1) throw new NotFoundError(`Several spaces are named "${name}". Use the ID instead.`);
  const [id] = ids;
  const space = id === undefined ? null : await findManagedSpace(pool, id);
  if (!space) throw new NotFoundError(`No space has the name or ID "${name}".`);
  return space;
}

export async function resolveSubject(
  { pool }: Pick<Session, 'pool'>,
  space: ManagedSpaceView,
  name: string,
): Promise<ManagedSubjectView> {
  const subjects = await listManagedSubjects(pool, space._id);
  const found = subjects.find(({ _id, subjectName }) => matchesName(name, _id, subjectName));
  if (!found) throw new NotFoundError(`No subject of "${space.name}" has the name or ID "${name}".`);
  return found;
}

export async function resolveTopic(
  { pool }: Pick<Session, 'pool'>,
  subject: ManagedSubjectView,
  name: string,
): Promise<ManagedTopicView> {
  const search = validate(name) ? '' : name;
  for (let page = 1; ; page += 1) {
    const { docs, hasNext } = await pageOfTopics(pool, { subjectId: subject._id, search, page, limit: 500 });
    const found = docs.find(({ _id, topicName }) => matchesName(name, _id, topicName));
    if (found) return found;
    if (!hasNext)
      throw new NotFoundError(`No topic of "${subject.subjectName}" has the name or ID "${name}".`);
  }
}

const matchesName = (name: string, id: string, shown: string): boolean =>
  id === name.toLowerCase() || shown.toLowerCase() === name.trim().toLowerCase();

export function studentText(student: ManagedStudentView): string {
  const { _id, userName, firstName, lastName, createdAt, isBlocked, spaceCount, roles } = student;
  const held = roles.map(({ role, space }) => `${role.toLowerCase()} of ${space?.name ?? 'all spaces'}`);
  return textTable(
    [
      ['username', userName],
      ['name', `${firstName} ${lastName}`.trim()],
      ['ID', _id],
      ['registered', createdAt.slice(0, 10)],
      ['status', isBlocked ? 'blocked' : 'active'],
      ['spaces', String(spaceCount)],
      ['roles', held.join(', ') || 'none'],
    ],
    [0, 1],
  );
}
