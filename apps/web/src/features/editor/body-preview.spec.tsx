import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { renderPart } from '../../testing/render-part';
import { BodyPreview } from './body-preview';

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
    const { show } = renderPart(<BodyPreview html="<p>One</p>" />);
    show(<BodyPreview html="<p>One two</p>" />);
    pass(900);
    show(<BodyPreview html="<p>One two three</p>" />);
    pass(999);
    expect(screen.getByText('One')).toBeVisible();
    pass(1);
    expect(screen.getByText('One two three')).toBeVisible();
  });
});
