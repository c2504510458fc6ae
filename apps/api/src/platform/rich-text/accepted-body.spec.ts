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
    ['that sanitising would shorten', `<script>${'x'.repeat(MAX_BODY_BYTES)}</script><p>Hi</p>`],
    ['with long attributes', `<p title="${'x'.repeat(MAX_BODY_BYTES)}">Hi</p>`],
    ['of a megabyte of tags', '<b>'.repeat(350_000)],
    ['of multi-byte characters', 'ü'.repeat(MAX_BODY_BYTES / 2 + 1)],
  ])('%s is rejected by size before sanitising', (_, html) => {
    expect(codeOf(html)).toBe('BODY_TOO_LONG');
  });

  it('within the limit is sanitised', () => {
    expect(acceptedBody('<p onclick="x()">Hi</p>')).toBe('<p>Hi</p>');
  });
});
