import { MantineProvider } from '@mantine/core';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../testing/render-app';
import { MoreButton } from './paged-rows';

const onMore = jest.fn();

interface State {
  isLoading?: boolean;
  hasMore?: boolean;
  isAbove?: boolean;
  error?: Error;
}

function list(
  entries: readonly string[],
  { isLoading = false, hasMore = true, isAbove = false, error }: State = {},
) {
  const more = (
    <div>
      <button type="button">Elsewhere</button>
      {hasMore && (
        <MoreButton nextPage={{ isLoading, error, load: onMore }} isAbove={isAbove}>
          More
        </MoreButton>
      )}
    </div>
  );
  return (
    <MantineProvider>
      {isAbove && more}
      <ul>
        {entries.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
      {!isAbove && more}
    </MantineProvider>
  );
}

beforeEach(() => void onMore.mockClear());

it('keeps the focus while loading, requests once, and moves to the first new entry', async () => {
  const user = userEvent.setup();
  const { rerender } = render(list(['One']));
  const button = screen.getByRole('button', { name: 'More' });
  button.focus();
  await user.keyboard('{Enter}');
  rerender(list(['One'], { isLoading: true }));
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Enter}');
  expect(onMore).toHaveBeenCalledTimes(1);
  rerender(list(['One', 'Two', 'Three'], { hasMore: false }));
  await waitFor(() => expect(screen.getByText('Two')).toHaveFocus());
});

it('moves from above the list to the last entry that came before it', async () => {
  const { rerender } = render(list(['Three'], { isAbove: true }));
  screen.getByRole('button', { name: 'More' }).focus();
  await userEvent.setup().keyboard('{Enter}');
  rerender(list(['One', 'Two', 'Three'], { isAbove: true, hasMore: false }));
  await waitFor(() => expect(screen.getByText('Two')).toHaveFocus());
});

it('keeps the focus when the next page fails, and retries', async () => {
  const user = userEvent.setup();
  const { rerender } = render(list(['One']));
  const button = screen.getByRole('button', { name: 'More' });
  button.focus();
  await user.keyboard('{Enter}');
  rerender(list(['One'], { error: new Error('offline') }));
  expect(screen.getByRole('alert')).toHaveTextContent('Can’t reach Nimo.');
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(onMore).toHaveBeenCalledTimes(2);
  rerender(list(['One', 'Two'], { hasMore: false }));
  await waitFor(() => expect(screen.getByText('Two')).toHaveFocus());
});

it('leaves the focus where the reader moved it meanwhile', async () => {
  const { rerender } = render(list(['One']));
  await userEvent.setup().click(screen.getByRole('button', { name: 'More' }));
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  elsewhere.focus();
  rerender(list(['One', 'Two'], { hasMore: false }));
  await Promise.resolve();
  expect(elsewhere).toHaveFocus();
});
