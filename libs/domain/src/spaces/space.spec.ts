import { describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../authority.js';
import { exampleVote } from '../event-parts.js';
import type {
  DecisionEvent,
  SpaceArchived,
  SpaceChanged,
  SpaceCreated,
  SpaceEvent,
  SpaceRemoved,
  SpaceUnarchived,
  SubjectAdded,
  SubjectChanged,
} from '../events.js';
import { newActor, newId, newMaintainer, newModerator, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { spacesWrittenTo } from './archived-space.js';
import {
  addSubject,
  archiveSpace,
  changeSpace,
  type ChangeSpace,
  changeSubject,
  createSpace,
  type CreateSpace,
  findSubject,
  type RemoveSpace,
  removeSpace,
  spaceDecider,
  unarchiveSpace,
} from './space.decide.js';

const by = newMaintainer();
const spaceId = newId();
const subjectId = newId();
const details = {
  name: 'French',
  description: 'La langue',
  bannerImageUrl: null,
  color: '1e88e5',
  hiddenFromSearchEngines: false,
  entry: 'OPEN' as const,
  publicPages: true,
  consentAge: null,
};
const created: SpaceCreated = { type: 'SpaceCreated', data: { spaceId, scope: 'world', ...details } };
const added: SubjectAdded = {
  type: 'SubjectAdded',
  data: { spaceId, subjectId, subjectName: 'Grammar', color: 'ff8800' },
};

describe('createSpace', () => {
  const creating = (changes: Partial<CreateSpace> = {}) =>
    given(spaceDecider).when((s) => createSpace({ by, spaceId, ...details, ...changes }, s));

  it('requires a maintainer or the command line', () => {
    creating().then(created);
    creating({ by: OPERATOR }).then(created);
    creating({ by: newActor() }).thenRefused('FORBIDDEN');
    creating({ by: newModerator() }).thenRefused('FORBIDDEN');
  });
  it('drops control characters from name and description', () =>
    creating({
      name: `\u202e${details.name}`,
      description: `${details.description}\u2066\u0007`,
    }).then(created));
  it('requires a name', () => creating({ name: '\u00a0' }).thenRefused('SPACE_NAME_REQUIRED'));
  it('limits name and description', () => {
    creating({ name: 'a'.repeat(101) }).thenRefused('SPACE_NAME_TOO_LONG');
    creating({ description: 'a'.repeat(2_001) }).thenRefused('SPACE_DESCRIPTION_TOO_LONG');
  });
  it('stores colours in lower case without #', () => {
    creating({ color: '1E88E5' }).then(created);
    creating({ color: '#1e88e5' }).thenRefused('COLOR_INVALID');
    creating({ color: 'blue' }).thenRefused('COLOR_INVALID');
  });
  it('lets only an import create a hidden space', () => {
    const importing: SpaceCreated = {
      type: 'SpaceCreated',
      data: { ...created.data, entry: 'IMPORTING', publicPages: false },
    };
    creating({ by: OPERATOR, entry: 'IMPORTING' }).then(importing);
    creating({ entry: 'IMPORTING' }).thenRefused('FORBIDDEN');
  });
  it('creates once', () =>
    given(spaceDecider, created)
      .when((s) => createSpace({ by, spaceId, ...details }, s))
      .thenNothingHappens());
});

describe('changeSpace', () => {
  const hidden: SpaceChanged = {
    type: 'SpaceChanged',
    data: { ...created.data, hiddenFromSearchEngines: true },
  };
  const change = { by, change: { hiddenFromSearchEngines: true } };

  it('can keep a space out of search engines', () =>
    given(spaceDecider, created)
      .when((s) => changeSpace(change, s))
      .then(hidden));
  it('records nothing if nothing changes', () =>
    given(spaceDecider, created, hidden)
      .when((s) => changeSpace(change, s))
      .thenNothingHappens());
  it('rejects a change based on an outdated value', () => {
    const renamed: SpaceChanged = { type: 'SpaceChanged', data: { ...created.data, name: 'Français' } };
    given(spaceDecider, created, renamed)
      .when((s) => changeSpace({ by, change: { name: 'Le français' }, seen: { name: 'French' } }, s))
      .thenRefused('CHANGED_MEANWHILE');
    given(spaceDecider, created, renamed)
      .when((s) => changeSpace({ by, change: { name: 'Français' }, seen: { name: 'French' } }, s))
      .thenNothingHappens();
    given(spaceDecider, created, renamed)
      .when((s) => changeSpace({ ...change, seen: { hiddenFromSearchEngines: false } }, s))
      .then({ type: 'SpaceChanged', data: { ...renamed.data, hiddenFromSearchEngines: true } });
  });
  it('lets only the import hide and show a space', () => {
    const importing: SpaceCreated = {
      type: 'SpaceCreated',
      data: { ...created.data, entry: 'IMPORTING', publicPages: false },
    };
    const changing = (event: SpaceCreated, command: Omit<ChangeSpace, 'seen'>) =>
      given(spaceDecider, event).when((s) => changeSpace(command, s));
    changing(importing, { by, change: { entry: 'OPEN' } }).thenRefused('FORBIDDEN');
    changing(created, { by, change: { entry: 'IMPORTING' } }).thenRefused('FORBIDDEN');
    changing(importing, { by, change: { name: 'French' } }).thenNothingHappens();
    changing(importing, { by: OPERATOR, change: { entry: 'OPEN' } }).then({
      type: 'SpaceChanged',
      data: { ...created.data, publicPages: false },
    });
  });
  it('validates changes', () =>
    given(spaceDecider, created)
      .when((s) => changeSpace({ by, change: { name: ' ' } }, s))
      .thenRefused('SPACE_NAME_REQUIRED'));
  it('keeps the subjects', () =>
    expect(findSubject(given(spaceDecider, created, added, hidden).state(), subjectId)).toEqual(added.data));
  it('requires a maintainer', () =>
    given(spaceDecider, created)
      .when((s) => changeSpace({ ...change, by: newActor() }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses an unknown space', () =>
    given(spaceDecider)
      .when((s) => changeSpace(change, s))
      .thenRefused('SPACE_NOT_FOUND'));
});

describe('removeSpace', () => {
  const importing: SpaceCreated = {
    type: 'SpaceCreated',
    data: { ...created.data, entry: 'IMPORTING', publicPages: false },
  };
  const archived: SpaceArchived = { type: 'SpaceArchived', data: { spaceId, name: 'French' } };
  const removed: SpaceRemoved = { type: 'SpaceRemoved', data: { spaceId, name: 'French' } };
  const removing = (command: RemoveSpace, ...events: SpaceEvent[]) =>
    given(spaceDecider, ...events).when((s) => removeSpace(command, s));

  it('lets only the operator remove a space with an incomplete import', () => {
    removing({ by: OPERATOR }, importing).then(removed);
    removing({ by, name: 'French' }, importing).thenRefused('FORBIDDEN');
  });
  it('lets maintainers and the command line remove an archived space', () => {
    for (const who of [by, OPERATOR]) removing({ by: who, name: 'French' }, created, archived).then(removed);
    for (const who of [newActor(), newModerator()])
      removing({ by: who, name: 'French' }, created, archived).thenRefused('FORBIDDEN');
  });
  it('requires the space to be archived', () => {
    const unarchived: SpaceUnarchived = { type: 'SpaceUnarchived', data: created.data };
    for (const events of [[created], [created, archived, unarchived]])
      for (const who of [by, OPERATOR])
        removing({ by: who, name: 'French' }, ...events).thenRefused('SPACE_NOT_ARCHIVED');
  });
  it('requires its current name, ignoring case and white space', () => {
    const renamed: SpaceChanged = { type: 'SpaceChanged', data: { ...created.data, name: 'French 7b' } };
    for (const name of [undefined, '', 'Frenc', 'French'])
      removing({ by, ...(name !== undefined && { name }) }, created, renamed, archived).thenRefused(
        'SPACE_NAME_NOT_REPEATED',
      );
    removing({ by, name: ' french  7B' }, created, renamed, archived).then({
      type: 'SpaceRemoved',
      data: { spaceId, name: 'French 7b' },
    });
  });
  it('removes the space', () => {
    removing({ by: OPERATOR }, importing, removed).thenRefused('SPACE_NOT_FOUND');
    removing({ by, name: 'French' }, created, archived, removed).thenRefused('SPACE_NOT_FOUND');
    given(spaceDecider, importing, removed)
      .when((s) => changeSpace({ by, change: { name: 'Again' } }, s))
      .thenRefused('SPACE_NOT_FOUND');
  });
});

describe('an archived space', () => {
  const archived: SpaceArchived = { type: 'SpaceArchived', data: { spaceId, name: 'French' } };
  const unarchived: SpaceUnarchived = { type: 'SpaceUnarchived', data: created.data };

  it('is archived and opened again by maintainers and the command line only', () => {
    for (const who of [by, OPERATOR]) {
      given(spaceDecider, created)
        .when((s) => archiveSpace({ by: who }, s))
        .then(archived);
      given(spaceDecider, created, added, archived)
        .when((s) => unarchiveSpace({ by: who }, s))
        .then(unarchived);
    }
    for (const who of [newActor(), newModerator()]) {
      given(spaceDecider, created)
        .when((s) => archiveSpace({ by: who }, s))
        .thenRefused('FORBIDDEN');
      given(spaceDecider, created, archived)
        .when((s) => unarchiveSpace({ by: who }, s))
        .thenRefused('FORBIDDEN');
    }
  });
  it('is archived once, and opened once', () => {
    given(spaceDecider, created, archived)
      .when((s) => archiveSpace({ by }, s))
      .thenNothingHappens();
    given(spaceDecider, created, archived, unarchived)
      .when((s) => unarchiveSpace({ by }, s))
      .thenNothingHappens();
  });
  it('keeps its settings and subjects', () =>
    expect(given(spaceDecider, created, added, archived, unarchived).state()).toEqual(
      given(spaceDecider, created, added).state(),
    ));
  it('cannot be one that is unknown or being imported', () => {
    given(spaceDecider)
      .when((s) => archiveSpace({ by }, s))
      .thenRefused('SPACE_NOT_FOUND');
    given(spaceDecider, {
      type: 'SpaceCreated',
      data: { ...created.data, entry: 'IMPORTING', publicPages: false },
    } as const)
      .when((s) => archiveSpace({ by }, s))
      .thenRefused('SPACE_NOT_FOUND');
  });
});

describe('spacesWrittenTo', () => {
  const asked = { spaceId, studentId: newId() };
  it('names the space of an event, and of each vote of an invalidation', () => {
    const [one, other] = [newId(), newId()];
    const vote = { ...exampleVote, postType: 'QUESTION' as const };
    expect(
      spacesWrittenTo([
        { type: 'SpaceJoined', data: asked },
        {
          type: 'VotesInvalidated',
          data: {
            ...{ caseId: newId(), moderatorId: newId(), category: 'ARRANGED', reason: 'A ring' },
            votes: [
              { ...vote, spaceId: one },
              { ...vote, spaceId: other },
            ],
          },
        },
      ]),
    ).toEqual([
      { spaceId, mustExist: true, mustNotBeArchived: true },
      // A case of several spaces outlives each of them.
      { spaceId: one, mustExist: false, mustNotBeArchived: true },
      { spaceId: other, mustExist: false, mustNotBeArchived: true },
    ]);
  });
  it('lets an archived space be left', () =>
    expect(spacesWrittenTo([{ type: 'SpaceLeft', data: asked }])).toEqual([
      { spaceId, mustExist: true, mustNotBeArchived: false },
    ]));
  it('lets the words of a deleted space be erased', () => {
    const data = { questionId: newId(), spaceId, authorId: newId() };
    expect(spacesWrittenTo([{ type: 'QuestionWordsErased', data }])).toEqual([]);
  });
  it('leaves out the posts of a removal, but not a ruling on one post', () => {
    const { removed: _, ...post } = newPost({ spaceId });
    const data = { ...post, moderatorId: newId(), reason: 'Spam', round: 0 };
    const removalId = newId();
    expect(spacesWrittenTo([{ type: 'ReportsUpheld', data: { ...data, removalId } }])).toEqual([]);
    expect(spacesWrittenTo([{ type: 'UpholdingReversed', data: { ...data, removalId } }])).toEqual([]);
    expect(spacesWrittenTo([{ type: 'ReportsUpheld', data }])).toEqual([
      { spaceId, mustExist: true, mustNotBeArchived: false },
    ]);
  });
  it('lets open reports of an archived space be decided', () => {
    const { removed: _, ...post } = newPost({ spaceId });
    const [moderatorId, toModeratorId] = [newId(), newId()];
    const ruling = { ...post, moderatorId, reason: 'Spam', round: 0 };
    const handedOver = { ...post, moderatorId, toModeratorId, note: '', round: 0 };
    const decisions: readonly DecisionEvent[] = [
      { type: 'ReportsUpheld', data: ruling },
      { type: 'ReportsDismissed', data: ruling },
      { type: 'ReportsHandedOver', data: handedOver },
      { type: 'UpholdingReversed', data: ruling },
    ];
    for (const decision of decisions)
      expect(spacesWrittenTo([decision])).toEqual([{ spaceId, mustExist: true, mustNotBeArchived: false }]);
  });
});

describe('subjects', () => {
  const subject = { by, subjectId, subjectName: 'Grammar', color: 'FF8800' };
  const renamed: SubjectChanged = {
    type: 'SubjectChanged',
    data: { ...added.data, subjectName: 'Grammaire' },
  };

  it('are added', () =>
    given(spaceDecider, created)
      .when((s) => addSubject(subject, s))
      .then(added));
  it('are added once', () =>
    given(spaceDecider, created, added)
      .when((s) => addSubject(subject, s))
      .thenNothingHappens());
  it('have unique names within the space', () =>
    given(spaceDecider, created, added)
      .when((s) => addSubject({ ...subject, subjectId: newId(), subjectName: 'GRAMMAR' }, s))
      .thenRefused('SUBJECT_EXISTS'));
  it('require a name and a colour', () => {
    given(spaceDecider, created)
      .when((s) => addSubject({ ...subject, subjectName: '' }, s))
      .thenRefused('SUBJECT_NAME_REQUIRED');
    given(spaceDecider, created)
      .when((s) => addSubject({ ...subject, color: '' }, s))
      .thenRefused('COLOR_INVALID');
  });
  it('are renamed', () =>
    given(spaceDecider, created, added)
      .when((s) => changeSubject({ by, subjectId, change: { subjectName: 'Grammaire' } }, s))
      .then(renamed));
  it('reject a change based on an outdated value', () =>
    given(spaceDecider, created, added, renamed)
      .when((s) =>
        changeSubject(
          { by, subjectId, change: { subjectName: 'Grammatik' }, seen: { subjectName: 'Grammar' } },
          s,
        ),
      )
      .thenRefused('CHANGED_MEANWHILE'));
  it('record nothing if nothing changes', () =>
    given(spaceDecider, created, added)
      .when((s) => changeSubject({ by, subjectId, change: { color: 'FF8800' } }, s))
      .thenNothingHappens());
  it('cannot be changed if unknown', () =>
    given(spaceDecider, created)
      .when((s) => changeSubject({ by, subjectId, change: { color: 'FF8800' } }, s))
      .thenRefused('SUBJECT_NOT_FOUND'));
  it('require a maintainer', () => {
    given(spaceDecider, created)
      .when((s) => addSubject({ ...subject, by: newActor() }, s))
      .thenRefused('FORBIDDEN');
    given(spaceDecider, created, added)
      .when((s) => changeSubject({ by: newActor(), subjectId, change: { color: 'FF8800' } }, s))
      .thenRefused('FORBIDDEN');
  });
  it('require a space', () =>
    given(spaceDecider)
      .when((s) => addSubject(subject, s))
      .thenRefused('SPACE_NOT_FOUND'));
});
