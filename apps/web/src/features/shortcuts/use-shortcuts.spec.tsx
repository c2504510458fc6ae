import { afterEach, expect, it, jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { renderPart } from '../../testing/render-part';
import { useGlobalShortcuts, useShortcuts } from './use-shortcuts';

const ofScreen = jest.fn();
const ofLayout = jest.fn();
const before = window.location.pathname;

function Screen() {
  useShortcuts({ next: ofScreen, toSpaces: ofScreen });
  return null;
}

function Layout() {
  useGlobalShortcuts(() => undefined);
  useShortcuts({ next: ofLayout }, { stays: true });
  return (
    <>
      <output>{useLocation().key}</output>
      <Screen />
    </>
  );
}

afterEach(() => {
  window.history.replaceState(null, '', before);
  jest.clearAllMocks();
});

it('prefers the handler of the screen to that of the layout', async () => {
  renderPart(<Layout />, '/space');
  await userEvent.keyboard('j');
  expect([ofScreen, ofLayout].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

it("uses the layout's handler once the URL has changed, while the old screen is still shown", async () => {
  const { getByRole } = renderPart(<Layout />, '/space');
  const at = () => getByRole('status').textContent;
  const shown = at();
  window.history.replaceState(null, '', '/leaderboard');
  await userEvent.keyboard('j');
  expect([ofScreen, ofLayout].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  // Back to the screen that is still shown.
  await userEvent.keyboard('gs');
  expect(at()).not.toBe(shown);
});
