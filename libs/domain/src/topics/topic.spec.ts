import { describe, expect, it } from '@jest/globals';
import { OPERATOR, type Authority } from '../authority.js';
import type { TopicChanged, TopicCreated, TopicEvent, TopicNameTaken } from '../events.js';
import { newActor, newId, newMaintainer } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  addTopic,
  changeTopic,
  createTopic,
  type CreateTopic,
  takeTopicName,
  topicDecider,
  topicSlug,
} from './topic.decide.js';

const subject = { subjectId: newId(), spaceId: newId() };
const topicId = newId();
const created = (changes: Partial<TopicCreated['data']> = {}): TopicCreated => ({
  type: 'TopicCreated',
  data: {
    topicId,
    ...subject,
    topicName: 'Passé composé',
    slug: 'passé-composé',
    topicType: 'SECONDARY',
    imageS3Url: null,
    ...changes,
  },
});

describe('topicSlug', () => {
  it.each([
    ['Passé composé', 'passé-composé'],
    ['  PASSE\u0301   Compose\u0301 ', 'passé-composé'],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full-width'],
    ['时态', '时态'],
    ['हिन्दी व्याकरण', 'हिन्दी-व्याकरण'],
    ['C', 'c'],
    ['C#', 'c#'],
    ['C++', 'c++'],
    ['¿Qué?', 'qué'],
    ['zero\u200bwidth', 'zerowidth'],
    ['--', ''],
    ['\u200b', ''],
  ])('converts %j to %j', (name, slug) => expect(topicSlug(name)).toBe(slug));
  it('is idempotent', () =>
    expect(topicSlug(topicSlug('İstanbul & Ñandú'))).toBe(topicSlug('İstanbul & Ñandú')));
});

describe('createTopic', () => {
  const create = (changes: Partial<CreateTopic> = {}): CreateTopic => ({
    by: newActor(),
    isMember: true,
    topicId,
    subject,
    topicName: 'Passé composé',
    topicType: 'SECONDARY',
    imageS3Url: null,
    ...changes,
  });
  const creating = (changes: Partial<CreateTopic> = {}) =>
    given(topicDecider).when((s) => createTopic(create(changes), s));

  it('lets a member create a SECONDARY topic', () => creating().then(created()));
  it('requires membership', () => creating({ isMember: false }).thenRefused('NOT_A_MEMBER'));
  it('leaves PRIMARY topics to maintainers and the command line', () => {
    creating({ topicType: 'PRIMARY' }).thenRefused('FORBIDDEN');
    creating({ topicType: 'PRIMARY', by: newMaintainer() }).then(created({ topicType: 'PRIMARY' }));
    creating({ topicType: 'PRIMARY', by: OPERATOR, isMember: false }).then(created({ topicType: 'PRIMARY' }));
  });
  it('finds an existing topic with the name', () =>
    given(topicDecider, created())
      .when((s) => createTopic(create({ topicId: newId(), topicName: 'PASSÉ-composé' }), s))
      .thenNothingHappens());
  it.each(['', ' ', '?!', '\u200b'])('refuses the name %j', (topicName) =>
    creating({ topicName }).thenRefused('TOPIC_REQUIRED'),
  );
  it('refuses a name over 100 characters', () =>
    creating({ topicName: 'a'.repeat(101) }).thenRefused('TOPIC_NAME_TOO_LONG'));
  it('requires a subject', () => creating({ subject: null }).thenRefused('SUBJECT_REQUIRED'));
});

describe('addTopic', () => {
  const add = (by: Authority, ...history: TopicEvent[]) =>
    given(topicDecider, ...history).when((s) =>
      addTopic({ by, topicId, subject, topicName: 'Passé composé', imageS3Url: '/media/t.webp' }, s),
    );

  it('creates a PRIMARY topic', () =>
    add(newMaintainer()).then(created({ topicType: 'PRIMARY', imageS3Url: '/media/t.webp' })));
  it('refuses a name that is taken', () => add(OPERATOR, created()).thenRefused('TOPIC_EXISTS'));
  it('requires a maintainer', () => add(newActor()).thenRefused('FORBIDDEN'));
});

describe('changeTopic', () => {
  const change = {
    by: newMaintainer(),
    change: { topicName: 'PASSÉ composé!', topicType: 'PRIMARY', imageS3Url: '/media/t.webp' },
    nameHolderId: null,
  } as const;
  const changed: TopicChanged = { type: 'TopicChanged', data: { ...created().data, ...change.change } };
  const rename = { by: change.by, change: { topicName: 'Imparfait' }, nameHolderId: null } as const;

  it('changes spelling, type and image', () =>
    given(topicDecider, created())
      .when((s) => changeTopic(change, s))
      .then(changed));
  it('keeps omitted fields', () =>
    given(topicDecider, changed)
      .when((s) => changeTopic({ ...change, change: { imageS3Url: null } }, s))
      .then({ type: 'TopicChanged', data: { ...changed.data, imageS3Url: null } }));
  it('records nothing if nothing changes', () =>
    given(topicDecider, created(), changed)
      .when((s) => changeTopic(change, s))
      .thenNothingHappens());
  it('accepts a claimed new name and keeps the slug', () =>
    given(topicDecider, created())
      .when((s) => changeTopic({ ...rename, nameHolderId: topicId }, s))
      .then({ type: 'TopicChanged', data: { ...created().data, topicName: 'Imparfait' } }));
  it.each([null, newId()])('refuses a name held by %s', (nameHolderId) =>
    given(topicDecider, created())
      .when((s) => changeTopic({ ...rename, nameHolderId }, s))
      .thenRefused('TOPIC_EXISTS'),
  );
  it('rejects a change based on an outdated value', () =>
    given(topicDecider, created(), changed)
      .when((s) =>
        changeTopic({ ...change, change: { topicType: 'SECONDARY' }, seen: { topicType: 'SECONDARY' } }, s),
      )
      .thenRefused('CHANGED_MEANWHILE'));
  it('requires a maintainer', () =>
    given(topicDecider, created())
      .when((s) => changeTopic({ ...change, by: newActor() }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses an unknown topic', () =>
    given(topicDecider)
      .when((s) => changeTopic(change, s))
      .thenRefused('TOPIC_NOT_FOUND'));
});

describe('takeTopicName', () => {
  const take = (by: Authority, ...history: TopicEvent[]) =>
    given(topicDecider, ...history).when((s) =>
      takeTopicName({ by, topic: created().data, topicName: 'Imparfait' }, s),
    );
  const taken: TopicNameTaken = {
    type: 'TopicNameTaken',
    data: { ...created().data, topicName: 'Imparfait' },
  };

  it('claims the name once', () => {
    take(newMaintainer()).then(taken);
    take(newMaintainer(), taken).thenNothingHappens();
  });
  it('makes the topic findable by the name', () =>
    given(topicDecider, taken)
      .when((s) =>
        createTopic(
          {
            by: newActor(),
            isMember: true,
            topicId: newId(),
            subject,
            topicName: 'imparfait',
            topicType: 'SECONDARY',
            imageS3Url: null,
          },
          s,
        ),
      )
      .thenNothingHappens());
  it('refuses the name of another topic', () =>
    take(newMaintainer(), created({ topicId: newId() })).thenRefused('TOPIC_EXISTS'));
  it('requires a maintainer', () => take(newActor()).thenRefused('FORBIDDEN'));
});
