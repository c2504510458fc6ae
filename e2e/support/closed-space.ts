import { expect, type Page } from '@playwright/test';
import { unique, type NimoApi, type Student } from './api.js';

export interface ClosedSpace {
  readonly name: string;
  readonly id: string;
  readonly moderator: Student;
}

/** Creates a closed space with a moderator. */
export async function closedSpace(api: NimoApi, entry: 'REQUEST' | 'INVITATION'): Promise<ClosedSpace> {
  const [maintainer, moderator] = [await api.maintainer(), await api.newStudent()];
  const name = unique('Robotics');
  const { createSpace } = await api.graphql<{ createSpace: { space: { _id: string } } }>(
    `mutation($name: String!, $entry: SpaceEntry!) {
      createSpace(details: { name: $name, color: "0c8599", entry: $entry }) { space { _id } }
    }`,
    { name, entry },
    maintainer.token,
  );
  const id = createSpace.space._id;
  await api.graphql(
    `mutation($student: ID!, $space: ID!) {
      grantRole(studentId: $student, role: MODERATOR, space: $space) { act }
    }`,
    { student: moderator._id, space: id },
    maintainer.token,
  );
  return { name, id, moderator };
}

/** Opens the space on the Membership screen. */
export async function openMembership(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Membership' })).toBeVisible();
  const choice = page.getByRole('combobox', { name: 'Space' });
  if (await choice.isVisible()) {
    await choice.click();
    await page.getByRole('option', { name }).click();
  }
  await expect(page.getByRole('heading', { name: 'Links, codes and lists' })).toBeVisible();
}

export interface ClassCode {
  readonly id: string;
  /** As typed in, without the hyphen. */
  readonly secret: string;
  /** The page to project. */
  readonly page: string;
}

/** Creates a class code as the moderator of the space. */
export async function newClassCode(
  api: NimoApi,
  { id: space, moderator: { token } }: ClosedSpace,
  uses = 30,
): Promise<ClassCode> {
  const { id } = await api.graphql<{ id: string }>(
    'mutation($space: ID!, $uses: Int!) { id: createInvitation(space: $space, details: { kind: CODE, uses: $uses, days: 1 }) }',
    { space, uses },
    token,
  );
  const { code } = await api.graphql<{ code: { invitation: { secret: string } } }>(
    'query($space: ID!, $id: ID!) { code: getClassCode(space: $space, id: $id) { invitation { secret } } }',
    { space, id },
    token,
  );
  return { id, secret: code.invitation.secret, page: `/moderation/entry/code/${space}/${id}` };
}

/** Joins a closed space without opening its pages. */
export async function joinByCode(api: NimoApi, { token }: Student, code: string): Promise<void> {
  await api.graphql('mutation($code: String!) { joinByInvitation(secret: $code) { _id } }', { code }, token);
}
