import { describe, it } from '@jest/globals';
import type { ActingStudent } from '../authority.js';
import type { NewspostChanged, NewspostPublished, NewspostRemoved, NewspostRestored } from '../events.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  changeNewspost,
  newspostDecider,
  publishNewspost,
  type PublishNewspost,
  removeNewspost,
  restoreNewspost,
} from './newspost.decide.js';

const [newspostId, spaceId] = [newId(), newId()];
const actor = newModerator(spaceId);
const texts = { title: 'Open day', body: '<p>On Friday.</p>' };
const published: NewspostPublished = {
  type: 'NewspostPublished',
  data: { newspostId, spaceId, authorId: actor.studentId, ...texts },
};
const forAll: NewspostPublished = { type: 'NewspostPublished', data: { ...published.data, spaceId: null } };
const about = { newspostId, spaceId, editorId: actor.studentId };
const removed: NewspostRemoved = { type: 'NewspostRemoved', data: about };
const restored: NewspostRestored = { type: 'NewspostRestored', data: about };

describe('publishNewspost', () => {
  const publishing = (changes: Partial<PublishNewspost> = {}) =>
    given(newspostDecider).when((s) =>
      publishNewspost({ actor, newspostId, spaceId, spaceExists: true, ...texts, ...changes }, s),
    );
  const by = (writer: ActingStudent, event: NewspostPublished) => ({
    ...event,
    data: { ...event.data, authorId: writer.studentId },
  });

  it('publishes in the space that the author moderates', () => publishing().then(published));
  it.each([newModerator(), newMaintainer()])(
    'publishes anywhere for moderators of all spaces and maintainers',
    (writer) => {
      publishing({ actor: writer }).then(by(writer, published));
      publishing({ actor: writer, spaceId: null }).then(by(writer, forAll));
    },
  );
  it.each([newActor(), newModerator(newId())])('refuses others', (writer) =>
    publishing({ actor: writer }).thenRefused('FORBIDDEN'),
  );
  it('does not let the moderator of one space publish for all spaces', () =>
    publishing({ spaceId: null }).thenRefused('FORBIDDEN'));
  it('refuses blocked students', () =>
    publishing({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED'));
  it('requires an existing space', () => publishing({ spaceExists: false }).thenRefused('SPACE_NOT_FOUND'));
  it('requires a visible title and text', () => {
    publishing({ title: ' \u200b' }).thenRefused('NEWSPOST_TITLE_REQUIRED');
    publishing({ body: '<p>&nbsp;</p>' }).thenRefused('NEWSPOST_BODY_REQUIRED');
  });
  it('limits both lengths', () => {
    publishing({ title: 'a'.repeat(301) }).thenRefused('QUESTION_TITLE_TOO_LONG');
    publishing({ body: `<p>${'a'.repeat(64 * 1024)}</p>` }).thenRefused('BODY_TOO_LONG');
  });
  it('trims the title and drops control characters', () =>
    publishing({ title: ' Open\u202e day\u0007 ' }).then(published));
  it('keeps composed emoji', () => {
    const title = '👩‍🔬 and ❤️';
    publishing({ title }).then({ ...published, data: { ...published.data, title } });
  });
  it('publishes once', () =>
    given(newspostDecider, published)
      .when((s) => publishNewspost({ actor, newspostId, spaceId, spaceExists: true, ...texts }, s))
      .thenNothingHappens());
});

describe('changeNewspost', () => {
  const next = { title: 'Open days', body: '<p>Friday and Saturday.</p>' };
  const changed: NewspostChanged = { type: 'NewspostChanged', data: { ...about, ...next } };

  it('changes title and text', () =>
    given(newspostDecider, published)
      .when((s) => changeNewspost({ actor, ...next }, s))
      .then(changed));
  it('records nothing if nothing changes', () =>
    given(newspostDecider, published, changed)
      .when((s) => changeNewspost({ actor, ...next }, s))
      .thenNothingHappens());
  it('requires a title and a text', () => {
    given(newspostDecider, published)
      .when((s) => changeNewspost({ actor, ...next, title: '' }, s))
      .thenRefused('NEWSPOST_TITLE_REQUIRED');
    given(newspostDecider, published)
      .when((s) => changeNewspost({ actor, ...next, body: '' }, s))
      .thenRefused('NEWSPOST_BODY_REQUIRED');
  });
  it('requires permission to write news there', () => {
    given(newspostDecider, published)
      .when((s) => changeNewspost({ actor: newActor(), ...next }, s))
      .thenRefused('FORBIDDEN');
    given(newspostDecider, forAll)
      .when((s) => changeNewspost({ actor, ...next }, s))
      .thenRefused('FORBIDDEN');
  });
  it.each([[[]], [[published, removed]]])('refuses an unknown or removed newspost', (history) =>
    given(newspostDecider, ...history)
      .when((s) => changeNewspost({ actor, ...next }, s))
      .thenRefused('NEWSPOST_NOT_FOUND'),
  );
});

describe('removeNewspost and restoreNewspost', () => {
  it('removes once', () => {
    given(newspostDecider, published)
      .when((s) => removeNewspost({ actor }, s))
      .then(removed);
    given(newspostDecider, published, removed)
      .when((s) => removeNewspost({ actor }, s))
      .thenNothingHappens();
  });
  it('restores once', () => {
    given(newspostDecider, published, removed)
      .when((s) => restoreNewspost({ actor }, s))
      .then(restored);
    given(newspostDecider, published, removed, restored)
      .when((s) => restoreNewspost({ actor }, s))
      .thenNothingHappens();
  });
  it.each([removeNewspost, restoreNewspost])('requires permission to write news there', (decide) => {
    given(newspostDecider, published)
      .when((s) => decide({ actor: newModerator(newId()) }, s))
      .thenRefused('FORBIDDEN');
    given(newspostDecider)
      .when((s) => decide({ actor }, s))
      .thenRefused('NEWSPOST_NOT_FOUND');
  });
});
