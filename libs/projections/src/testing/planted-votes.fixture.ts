import type { Ballot, People } from './voting.fixture.js';
import { patternsOf, randomFrom } from './voting.fixture.js';

const [HOUR, DAY] = [60, 1_440];
const YEAR = 365 * DAY;

/** A planted fraud or crowd. */
export interface Planted {
  readonly what: string;
  readonly people: readonly string[];
  readonly votes: number;
}

/** A synthetic community of honest people, with planted fraud and crowds. Deterministic for a seed. */
export class PlantedCommunity {
  readonly ballots: Ballot[] = [];
  readonly frauds: Planted[] = [];
  readonly crowds: Planted[] = [];
  readonly honest: string[] = [];
  private readonly random: () => number;
  private readonly posts = new Map<string, number>();
  private readonly joined = new Map<string, number>();
  private readonly wrote = new Map<string, number>();
  private readonly courses: string[][] = [];
  private studentCount = 0;

  constructor(
    seed: number,
    readonly students: number,
  ) {
    this.random = randomFrom(seed);
    for (let index = 0; index < students; index += 1) {
      // 60 % join in September.
      const day = this.chance(0.6) ? 240 + this.below(30) : this.below(365);
      this.honest.push(this.newStudent(this.below(2) * YEAR + day * DAY + this.below(DAY), this.chance(0.6)));
    }
    for (let first = 0; first < students; first += 40)
      this.courses.push(this.honest.slice(first, first + 40));
    for (const [index, voter] of this.honest.entries()) if (this.chance(0.7)) this.castVotes(voter, index);
  }

  readonly people: People = {
    postsOf: (id) => this.posts.get(id) ?? 0,
    joinedAt: (id) => this.joined.get(id) ?? null,
    wroteFirstAt: (id) => this.wrote.get(id) ?? null,
  };

  /** New accounts that write nothing and vote for one honest author, over days or months. */
  star(puppets: number, votes: number, over = 5): void {
    const author = this.someone();
    const from = this.below(YEAR) + YEAR;
    const accounts = Array.from({ length: puppets }, () => {
      const at = from + this.below(over * DAY);
      const account = this.newStudent(at, false);
      this.give(account, author, votes, at + HOUR, over * DAY);
      // One in four also votes once for someone else.
      if (votes > 3 && this.chance(0.25)) this.give(account, this.someone(), 1, at + HOUR, DAY);
      return account;
    });
    this.addFraud(`${over > 30 ? 'drip' : 'star'} ${puppets} x ${votes}`, accounts, puppets * votes);
  }

  /** Members who all vote for each other. */
  ring(size: number, votes: number): void {
    const members = this.writers(size);
    for (const voter of members)
      for (const author of members) if (author !== voter) this.give(voter, author, votes, 2 * YEAR, 60 * DAY);
    this.addFraud(`ring ${size} x ${votes}`, members, size * (size - 1) * votes);
  }

  /** Members who each vote for the next; in a closed chain, the last votes for the first. */
  chain(size: number, votes: number, isClosed: boolean): void {
    const members = this.writers(size);
    const links = isClosed ? size : size - 1;
    for (let index = 0; index < links; index += 1)
      this.give(members[index] ?? '', members[(index + 1) % size] ?? '', votes, 2 * YEAR, 60 * DAY);
    this.addFraud(`${isClosed ? 'cycle' : 'chain'} ${size} x ${votes}`, members, links * votes);
  }

  /** One account votes for or against another within minutes. */
  serial(votes: number, direction: 'UP' | 'DOWN'): void {
    const [voter, author] = [this.writers(1)[0] ?? '', this.someone()];
    this.give(voter, author, votes, 2 * YEAR, 5, direction);
    this.addFraud(`serial ${direction.toLowerCase()} ${votes}`, [voter], votes);
  }

  /** Pupils who join in the same week and vote for their teacher and each other; half of them write. */
  classOf(pupils: number): void {
    const teacher = this.newStudent(YEAR, true);
    this.posts.set(teacher, 60);
    const own = Array.from({ length: pupils }, () =>
      this.newStudent(YEAR + this.below(7 * DAY), this.chance(0.5)),
    );
    for (const pupil of own)
      for (let vote = 1 + this.below(8); vote > 0; vote -= 1)
        this.give(pupil, this.chance(0.75) ? teacher : this.pick(own, pupil), 1, YEAR + 7 * DAY, 90 * DAY);
    this.addCrowd('class', [teacher, ...own]);
  }

  /** Newcomers who vote for one popular answer. Some vote for its author again, some for others. */
  popularAnswer(readers: number): void {
    const author = this.someone();
    const own = Array.from({ length: readers }, () => {
      const at = YEAR + this.below(60 * DAY);
      const reader = this.newStudent(at, false);
      this.give(reader, author, 1, at, DAY);
      if (this.chance(0.15)) this.give(reader, author, 1, at, 30 * DAY);
      if (this.chance(0.3)) this.give(reader, this.someone(), 1, at, 30 * DAY);
      return reader;
    });
    this.addCrowd('popular answer', [author, ...own]);
  }

  /** Two friends or a study group: people with other votes who also read each other. */
  friends(size: number, votes: number): void {
    const own = this.writers(size);
    for (const voter of own) {
      for (let vote = 15 + this.below(25); vote > 0; vote -= 1)
        this.give(voter, this.someone(), 1, YEAR, 300 * DAY);
      for (const author of own)
        if (author !== voter) this.give(voter, author, votes + this.below(votes), YEAR, 300 * DAY);
    }
    this.addCrowd(size === 2 ? 'two friends' : 'study group', own);
  }

  private addFraud(what: string, people: readonly string[], votes: number): void {
    this.frauds.push({ what, people, votes });
  }

  private addCrowd(what: string, people: readonly string[]): void {
    this.crowds.push({ what, people, votes: 0 });
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private pick(people: readonly string[], except = ''): string {
    const chosen = people[this.below(people.length)] ?? '';
    return chosen === except ? this.pick(people, except) : chosen;
  }

  /** Skewed, because some authors are read far more than others. */
  private pickPopular(people: readonly string[]): string {
    return people[Math.floor(people.length * this.random() ** 2.5)] ?? '';
  }

  private someone(): string {
    return this.pick(this.honest);
  }

  private newStudent(at: number, writes: boolean): string {
    this.studentCount += 1;
    const id = `student-${this.studentCount}`;
    this.joined.set(id, at);
    if (writes) {
      this.posts.set(id, 1 + Math.floor(1 / (this.random() + 0.02)));
      this.wrote.set(id, at + this.below(60 * DAY));
    }
    return id;
  }

  /** New accounts with posts and some votes. */
  private writers(size: number): string[] {
    return Array.from({ length: size }, () => {
      const writer = this.newStudent(YEAR, true);
      this.posts.set(writer, 20);
      for (let vote = 5 + this.below(10); vote > 0; vote -= 1)
        this.give(writer, this.someone(), 1, YEAR, 300 * DAY);
      return writer;
    });
  }

  private give(
    voterId: string,
    authorId: string,
    votes: number,
    from: number,
    over: number,
    direction: 'UP' | 'DOWN' = 'UP',
  ): void {
    if (voterId === authorId) return;
    for (let vote = 0; vote < votes; vote += 1)
      this.ballots.push({ voterId, authorId, direction, at: from + this.random() * over });
  }

  /** Votes in sessions, mostly for authors of the voter's course, often several times for the same author. */
  private castVotes(voter: string, index: number): void {
    const course = this.courses[Math.floor(index / 40)] ?? this.honest;
    const count = Math.min(400, Math.floor(1 / (this.random() ** 0.8 + 0.002)));
    let at = (this.joined.get(voter) ?? 0) + this.below(20 * DAY);
    let author = '';
    for (let vote = 0; vote < count; vote += 1) {
      if (this.chance(0.25)) at += this.below(40 * DAY);
      if (author === '' || this.chance(0.85))
        author = this.pickPopular(this.chance(0.7) ? course : this.honest);
      this.give(voter, author, 1, at + this.random() * 30, 1, this.chance(0.9) ? 'UP' : 'DOWN');
    }
  }
}

/** Planted fraud that was found or missed, and honest people who were accused. */
export interface Outcome {
  readonly found: readonly Planted[];
  readonly missed: readonly Planted[];
  /** Honest people whose votes are part of a finding. Receiving such votes does not count. */
  readonly accused: readonly { readonly id: string; readonly crowd: string; readonly kind: string }[];
  readonly honest: number;
}

/** Counts a fraud as found if findings name at least half of its people as voters. */
export function outcomeOf(community: PlantedCommunity): Outcome {
  const findings = patternsOf(community.ballots, community.people);
  const named = new Map<string, string>();
  for (const { kind, links } of findings) for (const { voterId } of links) named.set(voterId, kind);
  // The last member of an open chain votes for no one.
  const isFound = ({ people }: Planted) => 2 * people.filter((id) => named.has(id)).length >= people.length;
  const guilty = new Set(community.frauds.flatMap(({ people }) => people));
  const crowdOf = new Map(
    community.crowds.flatMap(({ what, people }) => people.map((id) => [id, what] as const)),
  );
  const honest = new Set([...community.honest, ...crowdOf.keys()]);
  return {
    found: community.frauds.filter(isFound),
    missed: community.frauds.filter((fraud) => !isFound(fraud)),
    accused: [...named]
      .filter(([id]) => honest.has(id) && !guilty.has(id))
      .map(([id, kind]) => ({ id, kind, crowd: crowdOf.get(id) ?? 'everybody else' })),
    honest: honest.size,
  };
}
