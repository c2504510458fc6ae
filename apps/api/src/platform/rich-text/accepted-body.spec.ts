import { describe, expect, it } from '@jest/globals';
import { MAX_BODY_BYTES, DomainError } from '@nimo/domain';
import { acceptedBody } from './accepted-body.js';

const codeOf = (html: string): unknown => {
  try {
    return acceptedBody(html);
  } catch (error) {
    return error instanceof DomainError ? error.code : error;
  }
};

describe('a body', () => {
  it.each([
    ['of which sanitising leaves nothing', `<script>${'x'.repeat(MAX_BODY_BYTES)}</script><p>Hi</p>`],
    ['of long attributes', `<p title="${'x'.repeat(MAX_BODY_BYTES)}">Hi</p>`],
    ['of a megabyte of tags', '<b>'.repeat(350_000)],
    ['of characters of several bytes', 'ü'.repeat(MAX_BODY_BYTES / 2 + 1)],
  ])('%s is refused by its size before it is sanitised', (_, html) => {
    expect(codeOf(html)).toBe('BODY_TOO_LONG');
  });

  it('that is short enough is sanitised', () => {
    expect(acceptedBody('<p onclick="x()">Hi</p>')).toBe('<p>Hi</p>');
  });
});
