import { day, type DumpRows, type XmlRow } from './dump.fixture.js';

/** A generated community in which everything occurs often; deterministic for a given size. */
export function randomCommunity(size: number): DumpRows {
  let seed = size;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >>> 8) % limit;
  };
  const many = (count: number, make: (id: number) => XmlRow): XmlRow[] =>
    Array.from({ length: count }, (_, index) => make(index + 1));
  const time = (): string => day(below(300), `${String(below(24)).padStart(2, '0')}:00:00.000`);
  const questions = Math.ceil(size / 3);
  return {
    users: [
      ...many(Math.ceil(size / 4), (Id) => ({
        Id,
        CreationDate: time(),
        DisplayName: `Person ${below(size)}`,
      })),
      { Id: -1, CreationDate: day(0), DisplayName: 'Community' },
    ],
    posts: many(size, (Id) => ({
      Id,
      CreationDate: time(),
      Body: `<p>Post ${Id}</p>`,
      ...(below(9) > 0 && { OwnerUserId: 1 + below(size / 4) }),
      ...(Id % 10 === 0 && { OwnerUserId: -1 }),
      ...(Id <= questions
        ? {
            PostTypeId: 1,
            Title: `Question ${Id}`,
            Tags: `<t${below(9)}>`,
            AcceptedAnswerId: questions + 1 + below(size),
          }
        : { PostTypeId: 2, ParentId: 1 + below(questions) }),
    })),
    comments: many(size, (Id) => ({
      Id,
      PostId: 1 + below(size),
      UserId: 1 + below(size / 4),
      CreationDate: time(),
      Text: `@Person${below(size)} comment ${Id}`,
    })),
    votes: many(size * 2, (Id) => ({
      Id,
      PostId: 1 + below(size),
      VoteTypeId: [1, 2, 2, 2, 3, 5][below(6)] ?? 2,
      CreationDate: day(below(300), '00:00:00.000'),
      UserId: 1 + below(size / 4),
    })),
  };
}
