import { describe, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Providers } from './providers';
import { withAllTexts } from '../i18n/i18n';
import { noteServedVersion } from '../lib/api/connection';
import { MissingChunkError } from '../lib/browser/loading';
import { ConnectionBar } from './connection-bar';
import { ErrorBoundary } from '../components/error-boundary';

await withAllTexts(() => Promise.resolve())();

const show = (content: React.ReactNode) => render(<Providers env="test">{content}</Providers>);

describe('the connection bar', () => {
  it('shows that the browser is offline until the server is reachable again', async () => {
    globalThis.fetch = async () => new Response('{}');
    show(<ConnectionBar />);
    expect(screen.queryByText(/You are offline\./)).toBeNull();
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText(/You are offline\./).closest('[aria-live="polite"]')).toBeVisible();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByText(/You are offline\./)).toBeNull();
  });

  it('disappears on the first answer from the API, whenever the next retry is due', () => {
    show(<ConnectionBar />);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText(/You are offline\./)).toBeVisible();
    act(() => noteServedVersion(null));
    expect(screen.getByText(/You are offline\./)).toBeVisible();
    act(() => noteServedVersion('this build'));
    expect(screen.queryByText(/You are offline\./)).toBeNull();
  });
});

describe('a screen whose chunk is gone', () => {
  it('is not reported as an error', () => {
    const consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const Gone = (): never => {
      throw new MissingChunkError('gone');
    };
    show(
      <ErrorBoundary>
        <Gone />
      </ErrorBoundary>,
    );
    consoleError.mockRestore();
    expect(screen.getByRole('alert')).toHaveTextContent('A new version of Nimo is available');
    expect(screen.queryByText(/Something broke/)).toBeNull();
  });
});
