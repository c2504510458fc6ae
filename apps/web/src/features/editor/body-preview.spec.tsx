import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Providers } from '../../app/providers';
import '../../testing/render-app';
import { BodyPreview } from './body-preview';

const preview = (html: string) => (
  <Providers env="test">
    <BodyPreview html={html} />
  </Providers>
);

const pass = (ms: number): void => {
  act(() => {
    jest.advanceTimersByTime(ms);
  });
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the preview of a body', () => {
  it('is drawn again after a pause of 1000 ms in typing', () => {
    const { rerender } = render(preview('<p>One</p>'));
    rerender(preview('<p>One two</p>'));
    pass(900);
    rerender(preview('<p>One two three</p>'));
    pass(999);
    expect(screen.getByText('One')).toBeVisible();
    pass(1);
    expect(screen.getByText('One two three')).toBeVisible();
  });
});
