import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
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
  it('updates after a pause of 1000 ms in typing', () => {
    const { show } = renderPart(<BodyPreview html="<p>One</p>" />);
    show(<BodyPreview html="<p>One two</p>" />);
    pass(900);
    show(<BodyPreview html="<p>One two three</p>" />);
    pass(999);
    expect(screen.getByText('One')).toBeVisible();
    pass(1);
    expect(screen.getByText('One two three')).toBeVisible();
  });

  it('waits for the last key in its form, whose change arrives later', () => {
    const { show } = renderPart(
      <form>
        <BodyPreview html="<p>One</p>" />
      </form>,
    );
    const press = () => fireEvent.keyDown(screen.getByText('One'));
    press();
    pass(300);
    show(
      <form>
        <BodyPreview html="<p>One two</p>" />
      </form>,
    );
    pass(699);
    expect(screen.getByText('One')).toBeVisible();
    press();
    pass(999);
    expect(screen.getByText('One')).toBeVisible();
    pass(1);
    expect(screen.getByText('One two')).toBeVisible();
  });

  it('updates 1000 ms after the last key', () => {
    const { show } = renderPart(
      <form>
        <BodyPreview html="<p>One</p>" />
      </form>,
    );
    fireEvent.keyDown(screen.getByText('One'));
    pass(300);
    show(
      <form>
        <BodyPreview html="<p>One two</p>" />
      </form>,
    );
    pass(700);
    expect(screen.getByText('One two')).toBeVisible();
  });
});
