import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newParticipants, Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Saved {
  readonly avatar: { readonly _id: string; readonly imageUrl: string; readonly isRetired: boolean };
}

let app: TestApp;
let mai: Participant;
let ada: Participant;
beforeAll(async () => {
  app = await sharedApp();
  const { people } = await newParticipants(app, 2);
  [mai, ada] = people;
  await app.grantRole(mai.student.studentId, 'MAINTAINER');
});

const AVATAR = '{ avatar { _id imageUrl isRetired } }';

async function upload(by: Participant): Promise<string> {
  const { url, key } = await by.query<{ url: string; key: string }>('getPresignedS3Url { url key }');
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  const { status } = await app.http().put(url).set('content-type', 'image/png').send(picture);
  expect(status).toBeLessThan(300);
  return `/media/${key}`;
}
const available = async (): Promise<string[]> => {
  const { data } = await app.graphql<{ getAvatars: { urls: string[] }[] }>('{ getAvatars { urls } }');
  return data.getAvatars.flatMap(({ urls }) => urls);
};
const use = (by: Participant, url: string) =>
  `updateStudent(id: "${by.student.studentId}", realProfilePicUrl: "${url}") { realProfilePicUrl }`;
const done = async (operation: string): Promise<Saved['avatar']> =>
  (await mai.perform<Saved>(operation)).avatar;

describe('avatars', () => {
  it('can be uploaded, used, retired and restored, and stay with users who have them', async () => {
    const imageUrl = await upload(mai);
    const { _id } = await done(`addAvatar(group: "birds", label: "owl", imageUrl: "${imageUrl}") ${AVATAR}`);
    expect(await available()).toContain(imageUrl);
    const { data } = await ada.mutate<{ realProfilePicUrl: string }>(use(ada, imageUrl));
    expect(data.done).toEqual({ realProfilePicUrl: imageUrl });
    expect(await done(`retireAvatar(id: "${_id}") ${AVATAR}`)).toMatchObject({ isRetired: true });
    expect(await available()).not.toContain(imageUrl);
    await ada.perform(
      `updateStudent(id: "${ada.student.studentId}", realProfilePicUrl: "${imageUrl}", firstName: "Ida") { _id }`,
    );
    const picture = await eventually(
      () => app.http().get(imageUrl),
      ({ status }) => status === 200,
    );
    expect(picture.headers['content-type']).toBe('image/webp');
    const late = new Participant(app, await app.signUp(), {
      spaceId: '',
      subjectId: '',
      topicId: '',
      members: [],
    });
    expect(await late.refusal(`mutation { ${use(late, imageUrl)} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await done(`restoreAvatar(id: "${_id}") ${AVATAR}`);
    await late.perform(use(late, imageUrl));
  });

  it('can be retired and renamed if built in', async () => {
    const id = 'space/moon';
    await done(`retireAvatar(id: "${id}") ${AVATAR}`);
    expect(await available()).not.toContain('/avatars/space/moon.svg');
    expect((await app.http().get('/avatars/space/moon.svg')).status).toBe(200);
    await done(`restoreAvatar(id: "${id}") ${AVATAR}`);
    await done(`changeAvatar(id: "${id}", change: { label: "Luna" }, seen: { label: "moon" }) ${AVATAR}`);
    expect(
      await mai.refusal(
        `mutation { changeAvatar(id: "${id}", change: { label: "Mond" }, seen: { label: "moon" }) { act } }`,
      ),
    ).toMatchObject({ code: 'CONFLICT' });
    expect(await available()).toContain('/avatars/space/moon.svg');
  });

  it('accept only the maintainer’s own uploads', async () => {
    const theirs = await upload(ada);
    for (const url of [theirs, 'https://example.org/owl.png', '/avatars/space/moon.svg'])
      expect(
        await mai.refusal(
          `mutation { addAvatar(group: "birds", label: "crow", imageUrl: "${url}") { act } }`,
        ),
      ).toMatchObject({ code: 'VALIDATION_FAILED', field: 'imageUrl' });
    expect(
      await mai.refusal('mutation { addAvatar(group: "birds", label: "crow", imageUrl: "") { act } }'),
    ).toMatchObject({ message: 'Please choose a picture.' });
    expect(await mai.refusal('mutation { retireAvatar(id: "none") { act } }')).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
