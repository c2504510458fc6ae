import { describe, expect, it } from '@jest/globals';
import { plainTextOf } from '@nimo/rich-text';
import { propertiesSeed } from '@nimo/testing';
import { excerptOf, storedBody } from '../../../../../test/stored-body.js';
import { bodyOf, sampleTexts } from '../../../../../test/schema/sample-texts.js';
import { type PublicQuestion, publicQuestionPage } from './public-question-page.js';

const seed = propertiesSeed();
const texts = sampleTexts(seed, 300);
const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim();

function pageOf(body: string, comment: string): string {
  const author = { _id: 'a', userName: 'ada' };
  const written = { author, createdAt: '2026-11-26T00:00:00.000Z', editedAt: null, upvoteCount: 0 };
  const shown = {
    question: {
      ...written,
      _id: 'q',
      title: 'Title',
      body,
      excerpt: excerptOf(body),
      imageUrls: [],
      answerCount: 1,
      acceptedAnswer: null,
      space: { name: 'Space' },
      subject: { subjectName: 'Subject' },
      topic: { topicName: 'Topic' },
    },
    comments: [{ ...written, words: comment }],
    answers: [{ answer: { ...written, _id: 'b', body, imageUrls: [] }, isAccepted: false, comments: [] }],
    isHidden: false,
  };
  // Only what the page uses.
  return publicQuestionPage(shown as unknown as PublicQuestion, undefined).served.render().content;
}

describe('the public page', () => {
  it('shows bodies and comments exactly as written', () => {
    const changed = texts.filter((text) => {
      const page = plainTextOf(pageOf(storedBody(bodyOf(text)), text));
      const [, ...shown] = page.split(collapseWhitespace(text));
      // Once each in the question, its comment and the answer.
      return shown.length < 3;
    });
    expect({ seed, changed }).toEqual({ seed, changed: [] });
  });

  it('formats dates like the app', () => {
    expect(pageOf('<p>Body</p>', 'Comment')).toContain('>November 26, 2026</time>');
  });
});
