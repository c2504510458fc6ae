import type { CommandBus } from '@nestjs/cqrs';
import { describe, expect, it } from '@jest/globals';
import { DomainError, isRobot } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { version } from 'uuid';
import { ImportContexts, ImportPeople } from './import-people.js';
import { ImportIds } from './import-ids.js';
import { ImportSteps } from './import-steps.js';
import { ImportTally } from './import-tally.js';
import type { Planned } from './staging.js';

const PLANNED: Planned = {
  ...{ position: 1, file: null, id: null, kind: 'topic', author: 'grammar', post: 2, question: 1 },
  ...{ postKind: 'answer', questionAuthor: '1', at: new Date(0), voter: 1, content: null, nth: null },
  participants: null,
};

/** The report of one step whose command fails. */
async function reportOf(
  planned: Partial<Planned>,
  failure: Error,
): Promise<ReturnType<ImportTally['report']>> {
  const commands = { execute: () => Promise.reject(failure) } as unknown as CommandBus;
  const store = { readStream: () => Promise.resolve([]) } as unknown as EventStore;
  const ids = new ImportIds('dump', 'French');
  const contexts = new ImportContexts(ids, 'ada');
  const people = new ImportPeople({ commands, store, contexts, source: 'stackexchange' });
  const tally = new ImportTally({ users: 0, posts: 1, comments: 0, votes: 1 }, [], []);
  const steps = new ImportSteps({ commands, ids, contexts, people, tally, spaceId: 's', subjectId: 'j' });
  await steps.step({ ...PLANNED, ...planned }).run();
  return tally.report();
}

describe('ID of an imported person', () => {
  const ids = new ImportIds('dump', 'French');

  it('marks the accounts of the site itself as robots', () => {
    expect(['-1', '-7', '1', '~-1', '~user1'].map((author) => isRobot(ids.student(author)))).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
  });

  it('keeps the mark when a space moves', () => {
    expect(['-1', '1'].map((author) => isRobot(ids.mapped(ids.student(author))))).toEqual([true, false]);
  });

  it('is a valid UUID', () => {
    expect(['-1', '1'].map((author) => version(ids.student(author)))).toEqual([8, 5]);
  });
});

describe('step that breaks a domain rule', () => {
  it.each([
    ['topic', 'posts', 'topics'],
    ['person', 'posts', 'authors'],
    ['accept', 'posts', 'accepted answers'],
    ['stand-in', 'votes', 'stand-in voters'],
  ] as const)('is skipped and counted if it has no row: %s', async (kind, file, name) => {
    const { files, items } = await reportOf({ kind }, new DomainError('FORBIDDEN'));
    expect(files.filter(({ changed }) => changed.length > 0)).toMatchObject([
      {
        file,
        skipped: [],
        changed: [{ what: expect.stringMatching(`^${name} skipped: rejected by Nimo: `), count: 1 }],
      },
    ]);
    expect(items).toEqual({});
  });

  it('skips its row', async () => {
    const { files } = await reportOf({ kind: 'accept', file: 'votes', id: 3 }, new DomainError('FORBIDDEN'));
    expect(files.find(({ file }) => file === 'votes')).toMatchObject({
      skipped: [{ reason: expect.stringMatching('^rejected by Nimo: '), rows: 1 }],
      changed: [],
    });
  });

  it('does not catch other errors', async () => {
    await expect(reportOf({ kind: 'accept' }, new Error('disk full'))).rejects.toThrow('disk full');
  });
});
