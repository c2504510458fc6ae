import type { NimoApi, Student } from '../support/api.js';

export interface Scenario {
  readonly moderator: Student;
  readonly maintainer: Student;
  /** Author of the most reported post. */
  readonly advertiser: Student;
  readonly advertisement: string;
  /** A reported post that breaks no rule. */
  readonly unpopular: string;
  /** A question of the imported community with a long history. */
  readonly oldQuestion: string;
  /** Three students who upvote each other. */
  readonly ring: readonly Student[];
}

const RING = [
  ['camille_roux', 'Camille', 'Roux'],
  ['noor_haddad', 'Noor', 'Haddad'],
  ['luc_mercier', 'Luc', 'Mercier'],
] as const;
const READERS = [
  ['salome_vidal', 'Salomé', 'Vidal'],
  ['emil_lind', 'Emil', 'Lind'],
  ['yuki_mori', 'Yuki', 'Mori'],
  ['theo_lambert', 'Théo', 'Lambert'],
  ['amina_diallo', 'Amina', 'Diallo'],
  ['pavel_novak', 'Pavel', 'Novák'],
  ['rosa_duarte', 'Rosa', 'Duarte'],
  ['kofi_mensah', 'Kofi', 'Mensah'],
  ['lotte_jansen', 'Lotte', 'Jansen'],
  ['mateo_silva', 'Mateo', 'Silva'],
] as const;
const TITLES = [
  'Does “après que” take the subjunctive?',
  'When is “de” used instead of “des”?',
  'Why “c’est” and not “il est” here?',
  'How is “plus” pronounced in “en plus”?',
  'Can “on” mean “we” in a formal letter?',
  'What does “quand même” add to this sentence?',
  'Where does “y” go in the imperative?',
  'Is “malgré que” an error?',
  'Which past tense fits a repeated action?',
  'How do I read “soixante et onze” aloud?',
  'When does the past participle agree?',
  'Is “au final” good French?',
];
const VOTES_PER_READER = 16;

/** Reads the result of the setup. */
export function loadScenario(): Scenario {
  const json = process.env['NIMO_E2E_SCENARIO'];
  if (json === undefined) throw new Error('the setup has not run');
  return JSON.parse(json) as Scenario;
}

/**
 * Adds what an import lacks: known voters, reports and vote rings. Only invented people act on invented posts, so that no member of the real
 * community appears to have done it.
 */
export async function createScenario(api: NimoApi): Promise<Scenario> {
  const [moderator, maintainer] = [await api.moderator(), await api.maintainer()];
  const ring = await signUp(api, RING);
  const readers = await signUp(api, READERS);
  const [advertiser, other] = await signUp(api, [
    ['quick_essays', 'Quick', 'Essays'],
    ['max_berger', 'Max', 'Berger'],
  ]);
  if (!advertiser || !other) throw new Error('sign-up failed');
  const imported = await questionsOf(api, moderator);
  await addHonestVotes(api, readers, imported);
  await voteInARing(api, ring, imported);
  const posts = await reportedPosts(api, { advertiser, other, readers });
  const oldQuestion = imported.toSorted((one, next) => next.answerCount - one.answerCount)[0]?._id;
  if (oldQuestion === undefined) throw new Error('the community has no questions');
  return { moderator, maintainer, advertiser, ...posts, oldQuestion, ring };
}

async function signUp(
  api: NimoApi,
  people: readonly (readonly [userName: string, firstName: string, lastName: string])[],
): Promise<Student[]> {
  const students: Student[] = [];
  for (const [userName, firstName, lastName] of people)
    students.push(await api.newStudent({ userName, firstName, lastName }));
  return students;
}

/** Adds regular votes, from which a ring stands out. */
async function addHonestVotes(api: NimoApi, readers: readonly Student[], imported: readonly Imported[]) {
  for (const [place, reader] of readers.entries()) {
    for (let vote = 0; vote < VOTES_PER_READER; vote += 1) {
      const question = imported[(place * 11 + vote * 7) % imported.length];
      if (question) await api.upvote(reader, question._id);
    }
  }
}

async function voteInARing(api: NimoApi, ring: readonly Student[], imported: readonly Imported[]) {
  for (const [place, author] of ring.entries()) {
    for (const title of TITLES.filter((_, index) => index % ring.length === place)) {
      const question = await api.ask(author, title, { body: '<p>My teacher and my book disagree.</p>' });
      for (const voter of ring) if (voter !== author) await api.upvote(voter, question);
    }
    const elsewhere = imported[place * 5];
    if (elsewhere) await api.upvote(author, elsewhere._id);
  }
}

interface Participants {
  readonly advertiser: Student;
  readonly other: Student;
  readonly readers: readonly Student[];
}

async function reportedPosts(api: NimoApi, { advertiser, other, readers }: Participants) {
  const advertisement = await api.ask(advertiser, 'Need a French essay by tomorrow?', {
    body: '<p>Our team writes <strong>every essay in 24 hours</strong>. First page free! Write to us and mention this post.</p>',
  });
  const [asker, ...others] = readers;
  if (!asker) throw new Error('no readers');
  const question = await api.ask(asker, 'Which dictionary do you use every day?', {
    body: '<p>I look for one that explains <em>registers</em>, not only meanings.</p>',
  });
  const unkind = await api.answer(other, question, '<p>If you have to ask, languages are not for you.</p>');
  const unpopular = await api.ask(other, 'Should answers here be in English or in French?', {
    body: '<p>I read both. What should a beginner expect to find?</p>',
  });
  const report = async (type: 'QUESTION' | 'ANSWER', post: string, reasons: readonly string[]) => {
    for (const [place, reason] of reasons.entries()) {
      const reporter = others[place];
      if (reporter) await api.report(reporter, type, post, reason);
    }
  };
  await report('QUESTION', advertisement, ['Its spam', 'Scam or fraud', 'Its spam']);
  await report('ANSWER', unkind, ['Bullying or harassment', 'Bullying or harassment']);
  await report('QUESTION', unpopular, ["I just don't like it"]);
  // Votes change during a case: one voter switches, another withdraws.
  for (const voter of others.slice(3, 7)) await vote(api, voter, 'downvoteQuestion', advertisement);
  const [doubter, ally] = [others[7], others[8]];
  if (doubter && ally) {
    await api.upvote(doubter, advertisement);
    await vote(api, doubter, 'downvoteQuestion', advertisement);
    await api.upvote(ally, advertisement);
    await api.upvote(ally, advertisement);
  }
  return { advertisement, unpopular };
}

function vote(api: NimoApi, voter: Student, operation: 'downvoteQuestion', questionId: string) {
  return api.graphql(
    `mutation($questionId: ID!) { ${operation}(questionId: $questionId) { _id } }`,
    { questionId },
    voter.token,
  );
}

interface Imported {
  readonly _id: string;
  readonly answerCount: number;
}

/** The first pages of questions before new ones are asked. */
async function questionsOf(api: NimoApi, { token }: Student): Promise<Imported[]> {
  const space = await api.space(token);
  const found: Imported[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const { getPaginatedQuestions } = await api.graphql<{ getPaginatedQuestions: { docs: Imported[] } }>(
      `query($space: ID!, $page: Int!) {
        getPaginatedQuestions(queryVals: { space: $space }, paginateOptions: { page: $page, limit: 20 }) { docs { _id answerCount } }
      }`,
      { space: space._id, page },
      token,
    );
    found.push(...getPaginatedQuestions.docs);
  }
  return found;
}
