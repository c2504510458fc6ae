import { eventually } from '@nimo/testing';
import { logIn, upload } from './account-history.fixture.js';
import type { Person } from './person.fixture.js';

type Ids = Readonly<Record<'own' | 'bens' | 'answer' | 'bensAnswer', string>>;

const mentionOf = (id: string): string => `@[${id}]`;

/** Posts of the person, edited and with pictures, and mentions in both directions. @returns the ones that stay */
export async function posts(person: Person): Promise<Ids> {
  const { community, ben } = person.surroundings;
  const { subjectId: subject, topicId: topic, spaceId: space } = community;
  const picture = await upload(person, 'posts', 'picture of the question');
  const ask = (title: string, more: object = {}) =>
    person.does('createQuestion', { subject, topic, space, title, ...more }, '_id');
  await person.does('createTopic', { subject, topicName: 'Rings', topicType: 'SECONDARY' });
  const { _id: own } = await ask(`Is ${person.word('title')} a set?`, {
    body: `<p>So ${person.word('body')} &amp; ${mentionOf(ben.student.userName)} #${person.word('tag')}.</p>`,
    imageUrls: [picture],
  });
  await person.does('updateQuestion', {
    id: own,
    title: `Is ${person.word('edited title')} a group?`,
    body: `<p>So ${person.word('edited body')}.</p>`,
  });
  const bens = await ben.ask({ title: 'Is this a group?' });
  const { _id: answer } = await person.does(
    'createAnswer',
    {
      questionId: bens,
      body: `<p>As ${person.word('answer')} says.</p>`,
      imageUrls: [await upload(person, 'posts', 'picture of the answer')],
    },
    '_id',
  );
  await person.does('updateAnswer', { id: answer, body: `<p>As ${person.word('edited answer')} says.</p>` });
  const bensAnswer = await ben.answer(own);
  await person.does('createQuestionComment', {
    questionId: bens,
    body: `Ask "${person.word('comment')}" ${mentionOf(ben.student.userName)}`,
  });
  await person.does('createComment', {
    answerId: bensAnswer,
    body: `So ${person.word('comment on an answer')}?`,
  });
  await ben.commentOnAnswer(answer, `Thanks ${mentionOf(person.valueOf('user name'))}`);
  await ben.commentOnQuestion(own, `Thanks ${mentionOf(person.studentId)}`);

  const deleted = await ask(`Is ${person.word('title of a question deleted by the author')} wrong?`);
  await person.does('deleteQuestionById', { id: deleted._id });
  const { _id: deletedAnswer } = await person.does(
    'createAnswer',
    {
      questionId: bens,
      body: `<p>${person.word('answer deleted by the author')}</p>`,
    },
    '_id',
  );
  await person.does('deleteAnswerById', { id: deletedAnswer });
  const { _id: onQuestion } = await person.does(
    'createQuestionComment',
    {
      questionId: bens,
      body: person.word('comment deleted by the author'),
    },
    '_id',
  );
  await person.does('deleteQuestionCommentById', { id: onQuestion });
  const { _id: onAnswer } = await person.does(
    'createComment',
    {
      answerId: bensAnswer,
      body: person.word('comment on an answer deleted by the author'),
    },
    '_id',
  );
  await person.does('deleteCommentById', { id: onAnswer });
  return { own, bens, answer, bensAnswer };
}

/** Votes, bookmarks, an acceptance, reports and reactions to news, in both directions. */
export async function reactions(person: Person, { own, bens, answer, bensAnswer }: Ids): Promise<void> {
  const { ben, community } = person.surroundings;
  const another = await ben.ask();
  await person.does('upvoteQuestion', { questionId: bens });
  await person.does('downvoteQuestion', { questionId: another });
  await person.does('upvoteAnswer', { answerId: bensAnswer });
  await person.does('downvoteAnswer', { answerId: await ben.answer(another) });
  await ben.perform(`upvoteQuestion(questionId: "${own}") { _id }`);
  await ben.perform(`upvoteAnswer(answerId: "${answer}") { _id }`);
  await person.does('saveQuestion', { questionId: another });
  await person.does('unsaveQuestion', { questionId: another });
  await person.does('saveQuestion', { questionId: bens });
  await ben.perform(`saveQuestion(questionId: "${own}") { _id }`);
  await person.does('acceptAnswer', { questionId: own, answerId: bensAnswer });
  await ben.perform(`acceptAnswer(questionId: "${bens}", answerId: "${answer}") { _id }`);
  await person.does('reportPost', { postId: another, postType: 'QUESTION', reason: 'Its spam' });
  const { _id } = await person.staffDoes(
    'publishNewspost',
    {
      space: community.spaceId,
      title: 'The fair',
      body: 'Comes.',
    },
    '_id',
  );
  await person.does('likeNewspost', { newspostId: _id, actionType: 'LIKE' });
  await person.does('saveNewspost', { newspostId: _id, actionType: 'SAVE' });
  await eventually(() => person.reads<number>(`getNewNotificationCount(space: "${community.spaceId}")`));
  await person.does('markNotificationsSeen', { space: community.spaceId });
}

/** Decisions of staff about the person's posts, votes and account, each with a reason. */
export async function moderation(person: Person, { own, bens, answer }: Ids): Promise<void> {
  const { app, community, staff } = person.surroundings;
  const { subjectId: subject, topicId: topic, spaceId: space } = community;
  const { studentId } = person;
  const decide = async (name: string, postId: string, more: object) => {
    await app.caughtUp();
    const { revision, openReports } = await staff.query<{ revision: number; openReports: number }>(
      `getModerationCase(postId: "${postId}") { revision openReports }`,
    );
    await person.staffDoes(name, { postId, ...more, seen: { revision, openReports } });
  };
  const report = (postId: string, postType: string) =>
    person.benDoes('reportPost', { postId, postType, reason: 'Its spam' });
  await report(own, 'QUESTION');
  await decide('handOverReports', own, {
    toModeratorId: staff.student.studentId,
    note: person.value('note on a case'),
  });
  await decide('upholdReports', own, { reason: person.value('reason of a removed post') });
  await decide('reverseUpholding', own, { reason: person.value('reason of a restored post') });
  await report(answer, 'ANSWER');
  await decide('dismissReports', answer, { reason: person.value('reason of a dismissed report') });

  const asked = await person.does(
    'createQuestion',
    { subject, topic, space, title: `${person.word('title of a question deleted by staff')}?` },
    '_id',
  );
  await person.staffDoes('deleteQuestionById', {
    id: asked._id,
    reason: person.value('reason of a deleted question'),
  });
  const answered = await person.does(
    'createAnswer',
    { questionId: bens, body: `<p>${person.word('answer deleted by staff')}</p>` },
    '_id',
  );
  await person.staffDoes('deleteAnswerById', {
    id: answered._id,
    reason: person.value('reason of a deleted answer'),
  });
  const commented = await person.does(
    'createQuestionComment',
    { questionId: bens, body: person.word('comment deleted by staff') },
    '_id',
  );
  await person.staffDoes('deleteQuestionCommentById', {
    id: commented._id,
    reason: person.value('reason of a deleted comment'),
  });

  await app.caughtUp();
  const votes = [{ postId: bens, voterId: studentId }];
  const { fingerprint } = await staff.query<{ fingerprint: string }>(
    `previewInvalidation(votes: [{ postId: "${bens}", voterId: "${studentId}" }]) { fingerprint }`,
  );
  const { _id: caseId } = await person.staffDoes(
    'invalidateVotes',
    {
      votes,
      category: 'OTHER',
      reason: 'Voted for friends only',
      fingerprint,
    },
    '_id',
  );
  await person.staffDoes('reverseInvalidation', { caseId, reason: 'Not proven' });
  await removal(person);
  await notesAndBlocks(person);
  await app.caughtUp();
  await staff.query(`getStudentDetail(studentId: "${studentId}", space: "${space}") { __typename }`);
  await staff.query(`getStudentNotes(studentId: "${studentId}", space: "${space}") { text }`);
  const { lastOrdinal: ordinal } = await staff.query<{ lastOrdinal: number }>(
    `getHistoryRange(space: "${space}") { lastOrdinal }`,
  );
  await staff.query(
    `getScoreAsOf(space: "${space}", studentId: "${studentId}", asOf: { ordinal: ${ordinal} }) { __typename }`,
  );
  await staff.query(`getLeaderboardAsOf(space: "${space}", asOf: { ordinal: ${ordinal} }) { __typename }`);
}

/** Removes all posts of the person, and restores them. */
async function removal(person: Person): Promise<void> {
  const { app, community, staff } = person.surroundings;
  const author = { space: community.spaceId, author: person.studentId };
  await app.caughtUp();
  const { fingerprint } = await staff.query<{ fingerprint: string }>(
    `previewPostsRemoval(space: "${author.space}", author: "${author.author}") { fingerprint }`,
  );
  const reason = person.value('reason of a removal of all posts');
  const { _id: removalId } = await person.staffDoes('removePosts', { ...author, fingerprint, reason }, '_id');
  const reached = (state: string) =>
    eventually(
      () =>
        staff.query<{ removedPosts: readonly { state: string }[] }>(
          `getPostsRemoval(removalId: "${removalId}") { removedPosts { state } }`,
        ),
      ({ removedPosts }) => removedPosts.every((post) => post.state === state),
    );
  await reached('REMOVED');
  const restoring = { removalId, reason: person.value('reason of restored posts') };
  await person.staffDoes('restorePosts', restoring, '_id');
  await reached('RESTORED');
}

async function notesAndBlocks(person: Person): Promise<void> {
  const { app, community, staff, mutations } = person.surroundings;
  const about = { space: community.spaceId, studentId: person.studentId };
  await person.staffDoes('writeStudentNote', { ...about, text: person.value('removed note') });
  const [note] = await eventually(
    () =>
      staff.query<{ _id: string }[]>(
        `getStudentNotes(studentId: "${about.studentId}", space: "${about.space}") { _id }`,
      ),
    (notes) => notes.length > 0,
  );
  await person.staffDoes('removeStudentNote', { ...about, note: note?._id });
  await person.staffDoes('writeStudentNote', { ...about, text: person.value('note') });
  // A moderator of the space suspends; maintainers block the account.
  const moderator = await app.signUp();
  await app.grantRole(moderator.studentId, 'MODERATOR', community.spaceId);
  await mutations.send(moderator.token, 'blockStudent', {
    ...about,
    reason: person.value('reason of a suspension'),
  });
  await mutations.send(moderator.token, 'warnMember', { ...about, text: person.value('warning') });
  await mutations.send(moderator.token, 'suspendMember', {
    ...about,
    reason: person.value('reason of a timed suspension'),
    until: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await mutations.send(moderator.token, 'unblockStudent', {
    ...about,
    reason: person.value('reason of a lifted suspension'),
  });
  const { studentId } = about;
  await person.staffDoes('blockAccount', { studentId, reason: person.value('reason of a block') });
  await person.staffDoes('unblockAccount', { studentId, reason: person.value('reason of a lifted block') });
  await logIn(person);
}

/** Actions as a moderator. Only IDs say who did it; the texts belong to the space or to others. */
export async function asModerator(person: Person): Promise<void> {
  const { community, ben } = person.surroundings;
  const space = community.spaceId;
  const role = { studentId: person.studentId, role: 'MODERATOR', space };
  await person.staffDoes('grantRole', role);
  const { _id: id } = await person.does('publishNewspost', { space, title: 'News', body: 'Read.' }, '_id');
  await person.does('updateNewspost', { id, title: 'News', body: 'Read this.' });
  await person.does('removeNewspost', { id });
  await person.does('restoreNewspost', { id });
  await person.does('writeStudentNote', { space, studentId: ben.student.studentId, text: 'Kind' });
  await person.staffDoes('revokeRole', role);
}
