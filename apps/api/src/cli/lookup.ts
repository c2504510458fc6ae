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
import { NotThereError } from './failure.js';

type Session = Pick<OperatorSession, 'pool' | 'accounts'>;

/** By user name, phone number or id. */
export async function studentNamed({ pool, accounts }: Session, name: string): Promise<ManagedStudentView> {
  const found = await (validate(name)
    ? accounts.findById(name.toLowerCase())
    : accounts.find(
        isPhoneLogin(name)
          ? { kind: 'phone', value: normalisePhone(name) }
          : { kind: 'username', value: name },
      ));
  const student = found && (await findManagedStudent(pool, found.studentId));
  if (!student) throw new NotThereError(`No student has the user name, phone number or id "${name}".`);
  return student;
}

/** By id or name; a name that two spaces have names neither. */
export async function spaceNamed({ pool }: Pick<Session, 'pool'>, name: string): Promise<ManagedSpaceView> {
  const ids = validate(name) ? [name.toLowerCase()] : await findSpaceIdsByName(pool, name);
  if (ids.length > 1) throw new NotThereError(`There is more than one space "${name}": name it by its id.`);
  const [id] = ids;
  const space = id === undefined ? null : await findManagedSpace(pool, id);
  if (!space) throw new NotThereError(`No space has the name or id "${name}".`);
  return space;
}

export async function subjectNamed(
  { pool }: Pick<Session, 'pool'>,
  space: ManagedSpaceView,
  name: string,
): Promise<ManagedSubjectView> {
  const subjects = await listManagedSubjects(pool, space._id);
  const found = subjects.find(({ _id, subjectName }) => isNamed(name, _id, subjectName));
  if (!found) throw new NotThereError(`No subject of "${space.name}" has the name or id "${name}".`);
  return found;
}

export async function topicNamed(
  { pool }: Pick<Session, 'pool'>,
  subject: ManagedSubjectView,
  name: string,
): Promise<ManagedTopicView> {
  const search = validate(name) ? '' : name;
  for (let page = 1; ; page += 1) {
    const { docs, hasNext } = await pageOfTopics(pool, { subjectId: subject._id, search, page, limit: 500 });
    const found = docs.find(({ _id, topicName }) => isNamed(name, _id, topicName));
    if (found) return found;
    if (!hasNext)
      throw new NotThereError(`No topic of "${subject.subjectName}" has the name or id "${name}".`);
  }
}

const isNamed = (name: string, id: string, shown: string): boolean =>
  id === name.toLowerCase() || shown.toLowerCase() === name.trim().toLowerCase();

/** A student, for reading. */
export function studentLines(student: ManagedStudentView): string {
  const { _id, userName, firstName, lastName, createdAt, isBlocked, spaceCount, roles } = student;
  const held = roles.map(({ role, space }) => `${role.toLowerCase()} of ${space?.name ?? 'all spaces'}`);
  return textTable(
    [
      ['user name', userName],
      ['name', `${firstName} ${lastName}`.trim()],
      ['id', _id],
      ['since', createdAt.slice(0, 10)],
      ['status', isBlocked ? 'blocked' : 'active'],
      ['spaces', String(spaceCount)],
      ['roles', held.join(', ') || 'none'],
    ],
    [0, 1],
  );
}
