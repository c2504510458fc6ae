import { describe, it } from '@jest/globals';
import type { NewspostLiked, NewspostSaved, NewspostUnliked, NewspostUnsaved } from '../events.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { reactionDecider, toggleLike, toggleSave } from './reaction.decide.js';

const actor = newActor();
const newspost = {
  newspostId: newId(),
  spaceId: newId(),
  authorId: newId(),
  title: 'Open day',
  body: '<p>On Friday.</p>',
  removed: false,
};
const { newspostId, spaceId } = newspost;
const data = { newspostId, spaceId, studentId: actor.studentId };
const liked: NewspostLiked = { type: 'NewspostLiked', data };
const unliked: NewspostUnliked = { type: 'NewspostUnliked', data };
const saved: NewspostSaved = { type: 'NewspostSaved', data };
const unsaved: NewspostUnsaved = { type: 'NewspostUnsaved', data };
const command = { actor, newspost, isMember: true };

describe('reactions to news', () => {
  it('likes, unlikes and likes again', () => {
    given(reactionDecider)
      .when((s) => toggleLike(command, s))
      .then(liked);
    given(reactionDecider, liked)
      .when((s) => toggleLike(command, s))
      .then(unliked);
    given(reactionDecider, liked, unliked)
      .when((s) => toggleLike(command, s))
      .then(liked);
  });
  it('saves and likes independently', () => {
    given(reactionDecider, liked)
      .when((s) => toggleSave(command, s))
      .then(saved);
    given(reactionDecider, liked, saved)
      .when((s) => toggleSave(command, s))
      .then(unsaved);
    given(reactionDecider, liked, saved, unsaved)
      .when((s) => toggleLike(command, s))
      .then(unliked);
  });
  it.each([toggleLike, toggleSave])('requires a member or staff of the space', (decide) => {
    const outsider = { ...command, isMember: false };
    given(reactionDecider)
      .when((s) => decide(outsider, s))
      .thenRefused('NOT_A_MEMBER');
    for (const staff of [newModerator(spaceId), newMaintainer()]) {
      const staffData = { ...data, studentId: staff.studentId };
      const type = decide === toggleLike ? 'NewspostLiked' : 'NewspostSaved';
      given(reactionDecider)
        .when((s) => decide({ ...outsider, actor: staff }, s))
        .then({ type, data: staffData });
    }
  });
  it('lets every unblocked student react to news for all spaces', () => {
    const forAll = { actor, newspost: { ...newspost, spaceId: null }, isMember: false };
    given(reactionDecider)
      .when((s) => toggleLike(forAll, s))
      .then({ type: 'NewspostLiked', data: { ...data, spaceId: null } });
    given(reactionDecider)
      .when((s) => toggleLike({ ...forAll, actor: { ...actor, blocked: true } }, s))
      .thenRefused('STUDENT_BLOCKED');
  });
  it.each([undefined, { ...newspost, removed: true }])('refuses unknown or removed news', (gone) =>
    given(reactionDecider)
      .when((s) => toggleSave({ ...command, newspost: gone }, s))
      .thenRefused('NEWSPOST_NOT_FOUND'),
  );
});
