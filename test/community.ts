import { randomUUID } from 'node:crypto';
import { AddSubject } from '../apps/api/src/features/spaces/commands/subjects.js';
import { CreateSpace } from '../apps/api/src/features/spaces/commands/manage-space.js';
import { JoinSpace } from '../apps/api/src/features/spaces/commands/join-space.js';
import { CreateTopic } from '../apps/api/src/features/topics/commands/topics.js';
import type { SpaceDetails } from '@nimo/domain';
import type { SignedUpStudent, TestApp } from './app.js';
import { concurrently } from './concurrently.js';

export interface Community {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicId: string;
  /** Students who have joined the space. */
  readonly members: readonly SignedUpStudent[];
}

/** Creates a space with one subject, one topic and `size` members. */
export async function newCommunity(
  app: TestApp,
  size: number,
  details: Partial<SpaceDetails> = {},
): Promise<Community> {
  const spaceId = await newSpace(app, undefined, details);
  const subjectId = await app.execute<string>(
    new AddSubject(app.operator(), { spaceId, subjectName: 'Algebra', color: '2563eb' }),
  );
  const { topicId } = await app.execute<{ topicId: string }>(
    new CreateTopic(app.operator(), { spaceId, subjectId, topicName: 'Groups', topicType: 'PRIMARY' }),
  );
  const members = await concurrently(Array.from({ length: size }), () => newMember(app, spaceId));
  return { spaceId, subjectId, topicId, members };
}

export async function newSpace(
  app: TestApp,
  name = `Space ${randomUUID().slice(0, 8)}`,
  details: Partial<SpaceDetails> = {},
): Promise<string> {
  return app.execute<string>(
    new CreateSpace(app.operator(), {
      name,
      description: 'A test space',
      bannerImageUrl: null,
      color: '0f766e',
      hiddenFromSearchEngines: false,
      publicPages: true,
      ...details,
    }),
  );
}

export async function newMember(app: TestApp, spaceId: string): Promise<SignedUpStudent> {
  const student = await app.signUp();
  await app.execute(new JoinSpace(app.contextOf(student.studentId), spaceId, true));
  return student;
}
