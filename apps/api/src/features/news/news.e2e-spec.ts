import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

interface Post {
  readonly _id: string;
  readonly title: string;
  readonly body: string;
  readonly liked: boolean;
  readonly saved: boolean;
  readonly likeCount: number;
  readonly isEditable: boolean;
  readonly editedAt: string | null;
  readonly author: { readonly _id: string };
  readonly space: { readonly _id: string } | null;
}
interface NewsPage {
  readonly docs: readonly Post[];
  readonly page: number;
  readonly totalPages: number;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let moderator: Participant;
let maintainer: Participant;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('missing members');
  const third = await app.signUp();
  await app.grantRole(second.studentId, 'MODERATOR', community.spaceId);
  await app.grantRole(third.studentId, 'MAINTAINER');
  [ada, moderator, maintainer] = [first, second, third].map(
    (student) => new Participant(app, student, community),
  ) as [Participant, Participant, Participant];
});
afterAll(() => app.close());

const FIELDS =
  '{ _id title body liked saved likeCount isEditable createdAt editedAt author { _id userName } space { _id name } }';
const inSpace = () => `space: "${community.spaceId}"`;
const write = (where: string, title = 'Open day', body = '<p>On <strong>Friday</strong>.</p>') =>
  `publishNewspost(title: "${title}", body: "${body}"${where && `, ${where}`}) ${FIELDS}`;
const publish = async (by: Participant, where = inSpace(), title?: string, body?: string): Promise<Post> => {
  const { data, errors } = await by.mutate<Post>(write(where, title, body));
  if (errors) throw new Error(JSON.stringify(errors));
  return data.done;
};
const read = (by: Participant, args = inSpace()) =>
  by.query<NewsPage>(`getPaginatedNewsposts(${args}) { docs ${FIELDS} page totalPages }`);
const like = (id: string, more = '') => `likeNewspost(newspostId: "${id}"${more}) ${FIELDS}`;
const save = (id: string, more = '') => `saveNewspost(newspostId: "${id}"${more}) ${FIELDS}`;
const update = (id: string, title = 'New') =>
  `updateNewspost(id: "${id}", title: "${title}", body: "<p>b</p>") ${FIELDS}`;
const remove = (id: string) => `removeNewspost(id: "${id}") { _id }`;
const restore = (id: string) => `restoreNewspost(id: "${id}") { _id }`;
const forbidden = { message: 'You don’t have permission to do this.', code: 'FORBIDDEN' };
const gone = { message: 'This news no longer exists.', code: 'NOT_FOUND' };

describe('news', () => {
  it('lists the news of the space and of all spaces, newest first, five per page', async () => {
    const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
    for (const title of titles) await publish(moderator, inSpace(), title);
    const forAll = await publish(maintainer, '', 'Six');
    expect(forAll).toMatchObject({ space: null, author: { _id: maintainer.student.studentId } });
    const [first, second] = [
      await read(ada),
      await read(ada, `${inSpace()}, paginateOptions: { page: 2, limit: 5 }`),
    ];
    expect(first).toMatchObject({ page: 1, totalPages: 2 });
    expect(first.docs.map(({ title }) => title)).toEqual(['Six', 'Five', 'Four', 'Three', 'Two']);
    expect(second.docs.map(({ title }) => title)).toEqual(['One']);
    expect((await read(ada, 'saved: false')).docs).toEqual(first.docs);
    expect(first.docs.every(({ isEditable }) => !isEditable)).toBe(true);
    const asModerator = await read(moderator);
    expect(asModerator.docs.map(({ isEditable }) => isEditable)).toEqual([false, true, true, true, true]);
  });

  it('toggles likes and bookmarks per student', async () => {
    const { _id } = await publish(moderator);
    const { data } = await ada.mutate<Post>(like(_id, ', actionType: LIKE'));
    expect(data.done).toMatchObject({ liked: true, saved: false, likeCount: 1 });
    expect((await ada.mutate<Post>(save(_id, ', actionType: SAVE'))).data.done).toMatchObject({
      liked: true,
      saved: true,
    });
    expect((await moderator.mutate<Post>(like(_id))).data.done).toMatchObject({ saved: false, likeCount: 2 });
    const onlySaved = `${inSpace()}, saved: true`;
    expect((await read(ada, onlySaved)).docs.map((post) => post._id)).toEqual([_id]);
    expect((await read(moderator, onlySaved)).docs).toEqual([]);
    expect((await ada.mutate<Post>(like(_id))).data.done).toMatchObject({ liked: false, likeCount: 1 });
    expect((await ada.mutate<Post>(save(_id))).data.done).toMatchObject({ saved: false });
  });

  it('toggles once per idempotency key', async () => {
    const { _id } = await publish(moderator);
    const key = { 'idempotency-key': randomUUID() };
    await ada.mutate(like(_id), key);
    expect((await ada.mutate<Post>(like(_id), key)).data.done).toMatchObject({ liked: true, likeCount: 1 });
  });

  it('can be edited, removed and restored by staff of the space', async () => {
    const { _id } = await publish(moderator);
    expect((await moderator.mutate<Post>(update(_id))).data.done).toMatchObject({
      title: 'New',
      editedAt: expect.any(String),
    });
    await maintainer.perform(remove(_id));
    expect((await read(ada)).docs.map((post) => post._id)).not.toContain(_id);
    expect(await ada.refusal(`mutation { ${like(_id)} }`)).toEqual(gone);
    expect(await moderator.refusal(`mutation { ${update(_id)} }`)).toEqual(gone);
    await moderator.perform(restore(_id));
    expect((await read(ada)).docs.map((post) => post._id)).toContain(_id);
  });

  it('returns the audit entry of each change, and null for a no-op', async () => {
    const { _id } = await publish(moderator);
    const acted = async (operation: string) =>
      (await moderator.mutate<{ act: number | null }>(`${operation} { act }`)).data.done.act;
    const ordinals = [
      await acted(`updateNewspost(id: "${_id}", title: "Later", body: "<p>On Monday.</p>")`),
      await acted(`removeNewspost(id: "${_id}")`),
      await acted(`restoreNewspost(id: "${_id}")`),
    ];
    expect(await acted(`restoreNewspost(id: "${_id}")`)).toBeNull();
    const { rows } = await app.pool.query(
      `select kind from read.audit_entries where ordinal = any($1::bigint[]) order by ordinal`,
      [ordinals],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['NewspostChanged', 'NewspostRemoved', 'NewspostRestored']);
  });

  it('sanitises the body', async () => {
    const hostile = `<p onclick='x()'>Hi<script>alert(1)</script><a href='javascript:x()'>there</a></p>`;
    const { body } = await publish(moderator, inSpace(), 'Safe', hostile);
    expect(body).not.toMatch(/script|onclick|javascript/);
    expect(body).toContain('Hi');
  });

  it('requires a title, a body and an existing space', async () => {
    expect(await moderator.refusal(`mutation { ${write(inSpace(), ' ')} }`)).toEqual({
      message: 'Please add a title.',
      code: 'VALIDATION_FAILED',
      field: 'title',
    });
    expect(await moderator.refusal(`mutation { ${write(inSpace(), 'T', '<p></p>')} }`)).toEqual({
      message: 'Please add some text.',
      code: 'VALIDATION_FAILED',
      field: 'body',
    });
    expect(await maintainer.refusal(`mutation { ${write(`space: "${randomUUID()}"`)} }`)).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('managed news', () => {
  it('includes removed items and filters by them', async () => {
    const { _id } = await publish(moderator);
    await moderator.perform(remove(_id));
    const managed = async (args = '') => {
      const { docs } = await maintainer.query<{ docs: { _id: string; isRemoved: boolean }[] }>(
        `getManagedNews${args} { docs { _id isRemoved isEditable } hasNext }`,
      );
      return docs;
    };
    expect((await managed())[0]).toEqual({ _id, isRemoved: true, isEditable: true });
    expect((await managed('(isRemoved: true)')).map((post) => post._id)).toEqual([_id]);
    expect((await managed('(isRemoved: false)')).map((post) => post._id)).not.toContain(_id);
    await maintainer.perform(restore(_id));
    expect(await managed('(isRemoved: true)')).toEqual([]);
  });
});

describe('news access', () => {
  it('rejects students, and moderators outside their spaces', async () => {
    const { _id } = await publish(maintainer, '');
    const elsewhere = `space: "${await newSpace(app)}"`;
    for (const operation of [write(inSpace()), update(_id), remove(_id), restore(_id)])
      expect(await ada.refusal(`mutation { ${operation} }`)).toEqual(forbidden);
    for (const operation of [write(''), write(elsewhere), update(_id), remove(_id), restore(_id)])
      expect(await moderator.refusal(`mutation { ${operation} }`)).toEqual(forbidden);
  });

  it('rejects readers and reactions from outside the space', async () => {
    const { _id } = await publish(moderator);
    const eve = new Participant(app, await app.signUp(), community);
    const stranger = { message: 'Join the space to take part.', code: 'FORBIDDEN' };
    expect(await eve.refusal(`{ getPaginatedNewsposts(${inSpace()}) { page } }`)).toEqual(stranger);
    expect(await eve.refusal(`mutation { ${like(_id)} }`)).toEqual(stranger);
    expect(await eve.refusal(`mutation { ${save(_id)} }`)).toEqual(stranger);
    const { docs } = await eve.query<NewsPage>(`getPaginatedNewsposts { docs ${FIELDS} }`);
    expect(docs.every(({ space }) => space === null)).toBe(true);
  });

  it('rejects guests', async () => {
    const id = randomUUID();
    for (const operation of [
      `{ getPaginatedNewsposts { page } }`,
      ...[like(id), save(id), write(''), update(id), remove(id), restore(id)].map(
        (op) => `mutation { ${op} }`,
      ),
    ]) {
      const { errors } = await app.graphql(operation);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  it('rejects unknown newsposts, mismatched actions and oversized pages', async () => {
    expect(await ada.refusal(`mutation { ${like(randomUUID())} }`)).toEqual(gone);
    expect(await moderator.refusal(`mutation { ${remove(randomUUID())} }`)).toEqual(gone);
    const { _id } = await publish(moderator);
    expect(await ada.refusal(`mutation { ${like(_id, ', actionType: SAVE')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'actionType',
    });
    expect(
      await ada.refusal('{ getPaginatedNewsposts(paginateOptions: { page: 1, limit: 101 }) { page } }'),
    ).toMatchObject({ field: 'limit' });
  });
});
