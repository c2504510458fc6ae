import type { NimoApi, Student } from '../support/api.js';

export interface Happenings {
  readonly moderator: Student;
  readonly maintainer: Student;
  /** Three who vote for each other. */
  readonly ring: readonly Student[];
  /** Reported questions of the community, the most reported first. */
  readonly reported: readonly string[];
}

const REPORTS: readonly (readonly string[])[] = [
  ['Its spam', 'Its spam', 'Scam or fraud'],
  ['Fasle information', 'Something else'],
  ['Bullying or harassment'],
  ["I just don't like it"],
];
const POSTS_OF_EACH = 4;

let happened: Promise<Happenings> | undefined;

/** What an imported past does not have: reports, and students who help each other up. The same for all pictures. */
export function happeningsIn(api: NimoApi): Promise<Happenings> {
  happened ??= happen(api);
  return happened;
}

async function happen(api: NimoApi): Promise<Happenings> {
  const [moderator, maintainer] = [await api.moderator(), await api.maintainer()];
  const people: Student[] = [];
  for (const [userName, firstName, lastName] of [
    ['camille', 'Camille', 'Roux'],
    ['noor', 'Noor', 'Haddad'],
    ['jonas', 'Jonas', 'Weber'],
    ['ines', 'Inês', 'Duarte'],
    ['emil', 'Emil', 'Lind'],
    ['yuki', 'Yuki', 'Mori'],
  ] as const) {
    people.push(await api.newStudent({ userName, firstName, lastName }));
  }
  const ring = people.slice(0, 3);
  const others = people.slice(3);
  await voteInARing(api, ring);
  const reported = await questionsOf(api, moderator);
  for (const [index, reasons] of REPORTS.entries()) {
    const question = reported[index];
    if (question === undefined) throw new Error('the community has too few questions');
    for (const [reporter, reason] of reasons.entries()) {
      const student = others[reporter];
      if (student) await api.report(student, 'QUESTION', question, reason);
    }
  }
  return { moderator, maintainer, ring, reported: reported.slice(0, REPORTS.length) };
}

async function voteInARing(api: NimoApi, ring: readonly Student[]): Promise<void> {
  for (const author of ring) {
    for (let post = 1; post <= POSTS_OF_EACH; post += 1) {
      const question = await api.ask(author, `Question ${post} of ${author.userName} on the subjunctive`);
      for (const voter of ring) if (voter !== author) await api.upvote(voter, question);
    }
  }
}

async function questionsOf(api: NimoApi, { token }: Student): Promise<string[]> {
  const space = await api.space(token);
  const { getPaginatedQuestions } = await api.graphql<{ getPaginatedQuestions: { docs: { _id: string }[] } }>(
    `query($space: ID!) { getPaginatedQuestions(queryVals: { space: $space }, paginateOptions: { page: 3, limit: 20 }) { docs { _id } } }`,
    { space: space._id },
    token,
  );
  return getPaginatedQuestions.docs.map(({ _id }) => _id);
}
