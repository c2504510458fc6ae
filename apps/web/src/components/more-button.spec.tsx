import { MantineProvider } from '@mantine/core';
import { expect, it, jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../testing/render-app';
import { MoreButton } from './more-button';

const onMore = jest.fn();

function list(entries: readonly string[], { isLoading = false, hasMore = true } = {}) {
  return (
    <MantineProvider>
      <ul>
        {entries.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
      <div>
        <button type="button">Elsewhere</button>
        {hasMore && (
          <MoreButton isLoading={isLoading} onMore={onMore}>
            More
          </MoreButton>
        )}
      </div>
    </MantineProvider>
  );
}

it('keeps the focus while it loads, asks once, and leads to the first new entry', async () => {
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

it('leaves the focus with those who have gone on meanwhile', async () => {
  const { rerender } = render(list(['One']));
  await userEvent.setup().click(screen.getByRole('button', { name: 'More' }));
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  elsewhere.focus();
  rerender(list(['One', 'Two'], { hasMore: false }));
  await Promise.resolve();
  expect(elsewhere).toHaveFocus();
});
