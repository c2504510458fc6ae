import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, newPhone, newUserName, type GraphqlAnswer, type TestApp } from '../../../../test/app.js';
import { newCommunity, type Community } from '../../../../test/community.js';
import { Participant, refusalOf } from '../../../../test/participant.js';

/*
 * The validation rules of the specification (section 5), in its order. Rules enforced only in the browser are tested in
 * apps/web/src/app/validation.spec.tsx: repeated passwords, 'Please enter valid password.' for two empty ones, the password
 * strength, the pause of the preview and the toolbar.
 */

const BAD_USER_NAME =
  'Username should contain not contain any spaces or special characters except underscore!';
const CHANGE_BY_GRANT = `mutation($phone: Phone, $password: String!, $grant: String) {
  changePassword(phone: $phone, password: $password, grant: $grant) { flag }
}`;
const REGISTER_BY_EMAIL = `mutation($email: String!, $userName: String!, $password: String!) {
  registerByEmail(email: $email, userName: $userName, password: $password) { flag }
}`;
const UPDATE = `mutation($id: ID!, $userName: String, $password: String, $grant: String) {
  updateStudent(id: $id, userName: $userName, password: $password, grant: $grant) { _id userName }
}`;
const LOGIN = `query($userName: String, $phone: Phone, $password: String!) {
  login(userName: $userName, phone: $phone, password: $password) { accessToken error }
}`;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let questionId: string;
let answerId: string;

beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('the community has no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
  questionId = await ada.ask();
  answerId = await bob.answer(questionId);
});

/** Expects a validation error with the message and field. */
function expectRefused(answer: GraphqlAnswer, message: string, field: string): void {
  expect(refusalOf(answer)).toEqual({ message, code: 'VALIDATION_FAILED', field });
}

const noImages = Array.from({ length: 11 }, () => `/media/${randomUUID()}.webp`);

async function grantOf(phone: string, purpose: 'SIGN_UP' | 'FORGOT_PASSWORD') {
  await app.graphql(`mutation { sendOTP(phone: "${phone}", purpose: ${purpose}) { flag } }`);
  const code = await app.latestCode(phone);
  const { data } = await app.graphql<{ verifyOTP: { id: string; grant: string } }>(
    `mutation { verifyOTP(phone: "${phone}", verificationCode: "${code}", purpose: ${purpose}) { id grant } }`,
  );
  return data.verifyOTP;
}

describe('login', () => {
  const WRONG = { login: { accessToken: null, error: 'Incorrect username or password.' } };

  it.each([
    ['no user name', { userName: '', password: 'correct horse' }],
    ['no password', { userName: 'somebody', password: '' }],
    ['neither', { password: '' }],
  ])('with %s fails', async (_what, variables) => {
    expect((await app.graphql(LOGIN, variables)).data).toEqual(WRONG);
  });

  it('accepts ten digits as a phone with the prefix 91, also as an integer', async () => {
    const { phone, password } = await app.signUp();
    for (const variables of [{ userName: phone.slice(2) }, { phone: Number(phone) }]) {
      const { data } = await app.graphql(LOGIN, { ...variables, password });
      expect(data).toMatchObject({ login: { accessToken: expect.any(String), error: null } });
    }
  });
});

describe('by email', () => {
  it.each([
    [{ email: '' }, 'Please enter a valid email.', 'email'],
    [{ email: 'not-an-address' }, 'Please enter a valid email.', 'email'],
    [{ userName: '' }, 'Please enter a username.', 'userName'],
    [{ userName: 'two words' }, BAD_USER_NAME, 'userName'],
    [{ password: '' }, 'Please enter password.', 'password'],
    [{ password: 'seven77' }, 'Password must have minimum 8 characters.', 'password'],
  ])('rejects a registration with %j', async (changes, message, field) => {
    const variables = {
      email: 'a@b.example',
      userName: newUserName(),
      password: 'correct horse',
      ...changes,
    };
    expectRefused(await app.graphql(REGISTER_BY_EMAIL, variables), message, field);
  });

  it.each(['', 'not-an-address'])('rejects a password reset for %j', async (email) => {
    const answer = await app.graphql('mutation($email: String!) { forgotPassword(email: $email) { flag } }', {
      email,
    });
    expectRefused(answer, 'Please enter a valid email.', 'email');
  });

  it.each([
    ['', 'Please enter a password'],
    ['seven77', 'Password must have minimum 8 characters.'],
  ])('rejects the new password %j', async (password, message) => {
    const answer = await app.graphql(
      'mutation($password: String!) { resetPassword(token: "any", password: $password) { flag } }',
      { password },
    );
    expectRefused(answer, message, 'password');
  });
});

describe('sign-up', () => {
  it.each([
    ['', 'Empty input!'],
    ['98765 4321', 'Invalid mobile number'],
    ['987654321x', 'Invalid mobile number'],
    ['987654321', 'Invalid mobile number'],
    ['98765432101', 'Invalid mobile number'],
    ['449876543210', 'Invalid mobile number'],
  ])('rejects the phone %j, as a variable and as a literal', async (phone, message) => {
    const operation = 'createStudent(phone: $phone) { _id }';
    expectRefused(
      await app.graphql(`mutation($phone: Phone!) { ${operation} }`, { phone }),
      message,
      'phone',
    );
    expectRefused(
      await app.graphql(`mutation { ${operation.replace('$phone', JSON.stringify(phone))} }`),
      message,
      'phone',
    );
  });

  it('adds the prefix 91 to ten digits', async () => {
    const phone = newPhone();
    await app.graphql(`mutation { createStudent(phone: "${phone.slice(2)}") { _id } }`);
    await app.graphql(`mutation { sendOTP(phone: "${phone}") { flag } }`);
    expect(await app.latestCode(phone)).toMatch(/^\d{4}$/);
  });

  it.each([
    ['', 'Empty input!'],
    ['123', 'Invalid OTP!'],
    ['12345', 'Invalid OTP!'],
    ['12a4', 'Invalid OTP!'],
  ])('rejects the code %j', async (code, message) => {
    const answer = await app.graphql(
      `mutation { verifyOTP(phone: "${newPhone()}", verificationCode: "${code}") { flag } }`,
    );
    expectRefused(answer, message, 'verificationCode');
  });

  it('rejects an invalid or taken username and a short password', async () => {
    const phone = newPhone();
    await app.graphql(`mutation { createStudent(phone: "${phone}") { _id } }`);
    const { id, grant } = await grantOf(phone, 'SIGN_UP');
    const register = (userName: string, password = 'correct horse') =>
      app.graphql(UPDATE, { id, grant, userName, password });
    for (const userName of ['two words', 'a-b', 'ада', 'a.b', '12345'])
      expectRefused(await register(userName), BAD_USER_NAME, 'userName');
    expect(refusalOf(await register(ada.student.userName.toUpperCase()))).toEqual({
      message: 'Username already exist!',
      code: 'CONFLICT',
      field: 'userName',
    });
    expectRefused(
      await register(newUserName(), 'seven77'),
      'Password must have minimum 8 characters.',
      'password',
    );
    expect((await register(newUserName())).errors).toBeUndefined();
  });
});

describe('a forgotten password by phone', () => {
  it.each(['', '123', '12345', '12a4'])('rejects the code %j', async (code) => {
    const answer = await app.graphql(
      `mutation { verifyOTP(phone: "${newPhone()}", verificationCode: "${code}", purpose: FORGOT_PASSWORD) { flag } }`,
    );
    expectRefused(answer, 'Invalid OTP. Please enter valid OTP.', 'verificationCode');
  });

  it('adds the prefix 91 to ten digits but not to eleven', async () => {
    const refused = async (phone: string) => {
      const { data } = await app.graphql<{ sendOTP: { refusal: { message: string } | null } }>(
        `mutation { sendOTP(phone: "${phone}", purpose: FORGOT_PASSWORD) { refusal { message } } }`,
      );
      return data.sendOTP.refusal?.message;
    };
    expect(await refused('5000000001')).toBe('Student with phone: 915000000001 does not exist in DB.');
    expect(await refused('45000000001')).toBe('Student with phone: 45000000001 does not exist in DB.');
  });

  it.each([
    ['', 'Please enter a password'],
    ['seven77', 'Password must have minimum 8 characters.'],
  ])('rejects the new password %j', async (password, message) => {
    const { phone } = await app.signUp();
    const { grant } = await grantOf(phone, 'FORGOT_PASSWORD');
    expectRefused(await app.graphql(CHANGE_BY_GRANT, { phone, grant, password }), message, 'password');
  });
});

describe('a password change', () => {
  it.each([
    ['', 'Please enter password.'],
    ['seven77', 'Password must have minimum 8 characters.'],
  ])('to %j is rejected', async (password, message) => {
    const { token, password: oldPassword } = ada.student;
    const answer = await app.graphql(
      'mutation($p: String!, $old: String) { changePassword(password: $p, oldPassword: $old) { flag } }',
      { p: password, old: oldPassword },
      token,
    );
    expectRefused(answer, message, 'password');
  });

  it('accepts a password without character classes', async () => {
    const { token, password } = await app.signUp();
    const { data } = await app.graphql(
      'mutation($old: String) { changePassword(password: "aaaaaaaa", oldPassword: $old) { flag } }',
      { old: password },
      token,
    );
    expect(data).toEqual({ changePassword: { flag: 1 } });
  });
});

describe('a rename', () => {
  it.each([
    ['', 'Please enter a username.'],
    ['two words', BAD_USER_NAME],
    ['name!', BAD_USER_NAME],
    ['12345', BAD_USER_NAME],
  ])('to %j is rejected', async (userName, message) => {
    const { studentId: id, token } = ada.student;
    expectRefused(await app.graphql(UPDATE, { id, userName }, token), message, 'userName');
  });

  it('to a taken name is rejected regardless of case, as checkUserName reports', async () => {
    const { studentId: id, token } = ada.student;
    const userName = bob.student.userName.toUpperCase();
    expect(refusalOf(await app.graphql(UPDATE, { id, userName }, token))).toEqual({
      message: 'Username already exist!',
      code: 'CONFLICT',
      field: 'userName',
    });
    expect((await app.graphql(`{ checkUserName(userName: "${userName}") }`)).data).toEqual({
      checkUserName: true,
    });
  });
});

describe('a question', () => {
  it.each([
    [{ title: '' }, 'Please add question title.', 'title'],
    [{ title: ' \u200b\u00a0\n' }, 'Please add question title.', 'title'],
    [{ subject: '' }, 'Please select a subject', 'subject'],
    [{ topic: '' }, 'Please select or create a topic', 'topic'],
    [{ imageUrls: noImages }, 'Allow maximum 10 images.', 'imageUrls'],
  ])('with %j is rejected', async (changes, message, field) => {
    expectRefused(await ada.tryToAsk(changes), message, field);
  });

  it('does not require a description', async () => {
    expect((await ada.tryToAsk()).data).toMatchObject({ done: { body: '' } });
  });

  it('is validated on edit', async () => {
    expectRefused(
      await ada.mutate(`updateQuestion(id: "${questionId}", title: " ") { _id }`),
      'Please add question title.',
      'title',
    );
    const imageUrls = JSON.stringify(noImages);
    expectRefused(
      await ada.mutate(`updateQuestion(id: "${questionId}", title: "T", imageUrls: ${imageUrls}) { _id }`),
      'Allow maximum 10 images.',
      'imageUrls',
    );
  });

  it.each(['subject', 'topic'])('cannot change its %s', async (name) => {
    const { message, code } = await ada.refusal(
      `mutation { updateQuestion(id: "${questionId}", title: "T", ${name}: "${randomUUID()}") { _id } }`,
    );
    expect({ message, code }).toEqual({
      message: expect.stringContaining(`Unknown argument "${name}"`),
      code: 'VALIDATION_FAILED',
    });
  });

  it('creates a topic only with a name and a subject', async () => {
    const create = (topicName: string, subject = community.subjectId) =>
      ada.mutate(
        `createTopic(topicName: "${topicName}", subject: "${subject}", topicType: SECONDARY) { _id }`,
      );
    expectRefused(await create(' '), 'Please select or create a topic', 'topic');
    expectRefused(await create('Rings', ''), 'Please select a subject', 'subject');
    const { data } = await create('Rings');
    expect((await ada.tryToAsk({ topic: data.done._id })).errors).toBeUndefined();
  });
});

describe('an answer', () => {
  it.each(['', '   ', '<p></p>', '<p> <br></p><p>\u00a0</p>', '<script>x</script>'])(
    'of %j is rejected, including on edit',
    async (body) => {
      const given = JSON.stringify(body);
      for (const operation of [
        `createAnswer(questionId: "${questionId}", body: ${given}) { _id }`,
        `updateAnswer(id: "${answerId}", body: ${given}) { _id }`,
      ])
        expectRefused(await bob.mutate(operation), 'Please add your answer', 'body');
    },
  );

  it('has at most ten images, including after an edit', async () => {
    const images = `body: "<p>Yes.</p>", imageUrls: ${JSON.stringify(noImages)}`;
    for (const operation of [
      `createAnswer(questionId: "${questionId}", ${images}) { _id }`,
      `updateAnswer(id: "${answerId}", ${images}) { _id }`,
    ])
      expectRefused(await bob.mutate(operation), 'Allow maximum 10 images.', 'imageUrls');
  });
});

describe('a comment', () => {
  it.each(['', '   ', ' \u200b\n'])('of %j is rejected on questions and answers', async (body) => {
    const given = JSON.stringify(body);
    for (const operation of [
      `createQuestionComment(questionId: "${questionId}", body: ${given}) { _id }`,
      `createComment(answerId: "${answerId}", body: ${given}) { _id }`,
    ])
      expectRefused(await ada.mutate(operation), 'Comment should not be empty!', 'body');
  });
});

describe('a report', () => {
  it.each(['', 'its spam', 'False information', 'Something Else'])('for %j is rejected', async (reason) => {
    const answer = await bob.mutate(
      `reportPost(postId: "${questionId}", postType: QUESTION, reason: "${reason}") { _id }`,
    );
    expectRefused(answer, 'Please select a reason.', 'reason');
  });

  it.each([
    'Its spam',
    'Nudity or sexual activity',
    'Hate picture or symbols',
    "I just don't like it",
    'Bullying or harassment',
    'Fasle information',
    'Violence or dangerous',
    'Scam or fraud',
    'Something else',
  ])('for %j is accepted', async (reason) => {
    const id = await ada.ask();
    await bob.perform(`reportPost(postId: "${id}", postType: QUESTION, reason: "${reason}") { _id }`);
  });
});

describe('a search', () => {
  it.each(['', '   '])('for %j finds nothing', async (text) => {
    const { spaceId } = community;
    const search = `search: "${text}", space: "${spaceId}"`;
    const inQuestions = `search: "${text}", queryVals: {space: "${spaceId}"}`;
    for (const operation of [`searchQuestions(${inQuestions})`, `searchAnswers(${search})`])
      expect(await ada.query(`${operation} { hits { _id } }`)).toEqual({ hits: [] });
  });
});

describe('an argument with a single valid value', () => {
  const page = '{ docs { _id } }';

  it.each([
    ['scope', () => 'query { getSpaces(scope: "home") { _id } }'],
    ['scope', () => 'query { getStudentSpaces(scope: "") { _id } }'],
    ['scope', () => `mutation { joinSpace(spaceId: "${community.spaceId}", scope: "WORLD") { _id } }`],
    ['scope', () => `mutation { leaveSpace(spaceId: "${community.spaceId}", scope: "home") { _id } }`],
    ['scope', () => `query { getLeaderboardScores(space: "${community.spaceId}", scope: "home") { rank } }`],
    [
      'scope',
      () => `query { getPaginatedLeaderboardScores(space: "${community.spaceId}", scope: "x") ${page} }`,
    ],
    [
      'scope',
      () =>
        `query { getPaginatedQuestions(queryVals: {space: "${community.spaceId}", scope: "home"}) ${page} }`,
    ],
    [
      'scope',
      () => `query { getPaginatedSavedQuestions(space: "${community.spaceId}", scope: "home") ${page} }`,
    ],
    ['scope', () => `mutation { updateQuestion(id: "${questionId}", title: "T", scope: "home") { _id } }`],
    [
      'registrationType',
      () => `mutation { createStudent(phone: "${newPhone()}", registrationType: "ADMIN") { _id } }`,
    ],
    [
      'registrationType',
      () => `mutation { updateStudent(id: "${ada.student.studentId}", registrationType: "self") { _id } }`,
    ],
    [
      'isRegistered',
      () => `mutation { updateStudent(id: "${ada.student.studentId}", isRegistered: false) { _id } }`,
    ],
    [
      'isPhoneVerified',
      () => `mutation { updateStudent(id: "${ada.student.studentId}", isPhoneVerified: false) { _id } }`,
    ],
  ])('is rejected with another value instead of ignored: %s', async (field, operation) => {
    const { errors } = await app.graphql(operation(), {}, ada.student.token);
    expect(errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED', field, rule: 'VALUE_UNKNOWN' } },
    ]);
  });

  it('can be omitted, null or the valid value', async () => {
    for (const scope of ['', '(scope: null)', '(scope: "world")'])
      expect(await ada.query(`getSpaces${scope} { _id }`)).not.toEqual([]);
  });

  it('rejects any user type but student and any space but that of the question', async () => {
    const read = `query { getQuestionByIdWithUserAuthorization(questionId: "${questionId}", userType: "manager") { _id } }`;
    expect(await ada.refusal(read)).toMatchObject({ code: 'FORBIDDEN' });
    const edit = (space: string) =>
      ada.mutate(`updateQuestion(id: "${questionId}", title: "Here", space: "${space}") { _id }`);
    expect(refusalOf(await edit(randomUUID()))).toMatchObject({ code: 'NOT_FOUND' });
    expect((await edit(community.spaceId.toUpperCase())).errors).toBeUndefined();
  });
});
