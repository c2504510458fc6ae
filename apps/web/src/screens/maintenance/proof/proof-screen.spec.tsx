import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './proof-screen';

const me = newAuthUser();
const head = (letter: string): string => letter.repeat(64);
const proof = (changes: object = {}) => ({
  ordinal: 1234,
  head: head('a'),
  behind: 0,
  verifiedAt: new Date(Date.now() - 2 * 60_000).toISOString(),
  wholeVerifiedAt: null,
  mismatches: [],
  keyId: '0123456789abcdef',
  publicKey: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n',
  signedHeads: [
    { ordinal: 1200, head: head('b'), at: '2026-11-20T08:00:00.000Z', keyId: '0123456789abcdef' },
    { ordinal: 1000, head: head('c'), at: '2026-11-19T08:00:00.000Z', keyId: '0123456789abcdef' },
  ],
  ...changes,
});

const originalFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = originalFetch;
});

function open(answer: () => unknown, role: string | null = 'MODERATOR') {
  const answers: Answers = {
    getStudent: () => newStudent({ _id: me._id, roles: role === null ? [] : [{ role, space: null }] }),
    getSpaces: () => [newSpace()],
    getLogProof: answer,
  };
  const api = fakeApi(answers);
  const user = userEvent.setup({ delay: null });
  return { api, user, ...renderApp('/audit/proof', { user: me }) };
}

const section = (name: string) => screen.findByRole('region', { name });

describe('the proof of the log', () => {
  it('shows the progress of the chain and the last signature', async () => {
    open(() => proof());
    const chain = await section('Hash chain');
    expect(within(chain).getByText('1,234')).toBeVisible();
    expect(within(chain).getByRole('status')).toHaveTextContent(
      'Chained up to event 1,234 · last verified 2 minutes ago',
    );
    expect(within(chain).getByText(head('a'))).toBeVisible();
    const rows = within(await section('Signed heads'))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['1,200', '1,000']);
    expect(within(await section('Public key')).getByText(/BEGIN PUBLIC KEY/)).toBeVisible();
  });

  it.each([
    [1, '1 event behind'],
    [7, '7 events behind'],
    [1000, '1,000 or more events behind'],
  ])('shows that the chain is %d events behind', async (behind, words) => {
    open(() => proof({ behind }));
    const chain = await section('Hash chain');
    expect(within(chain).getByRole('status')).toHaveTextContent(words);
    expect(within(chain).getByText(/contact a maintainer/)).toBeVisible();
  });

  it('shows that nothing has been verified yet', async () => {
    open(() => proof({ verifiedAt: null }));
    expect(within(await section('Hash chain')).getByRole('status')).toHaveTextContent(
      'Chained up to event 1,234 · not verified yet',
    );
  });

  it('shows what does not match, and what to do', async () => {
    const mismatches = [
      { detail: 'The log ends before ordinal 7.', ordinal: 7, foundAt: '2026-11-20T08:00:00.000Z' },
    ];
    open(() => proof({ mismatches }));
    const alarm = await screen.findByRole('alert');
    expect(alarm).toHaveTextContent('The log does not match its proof');
    expect(within(alarm).getByText('The log ends before ordinal 7.')).toBeVisible();
    expect(within(alarm).getByText('npm run nimo -- log verify')).toBeVisible();
    expect(within(await section('Hash chain')).getByRole('status')).toHaveTextContent('Broken');
  });

  it('shows that nothing has been signed yet', async () => {
    open(() => proof({ signedHeads: [] }));
    expect(within(await section('Signed heads')).getByText(/No signed heads yet/)).toBeVisible();
  });

  it('explains what it proves and what not', async () => {
    open(() => proof());
    expect(within(await section('What this proves')).getAllByRole('listitem')).toHaveLength(3);
    expect(within(await section('What this does not prove')).getAllByRole('listitem')).toHaveLength(3);
  });

  it('copies a head', async () => {
    const { user } = open(() => proof());
    const chain = await section('Hash chain');
    await user.click(within(chain).getByRole('button', { name: 'Copy head after 1,234 events' }));
    expect(await navigator.clipboard.readText()).toBe(head('a'));
    expect(await within(chain).findByRole('button', { name: 'Copied' })).toBeVisible();
  });

  it('exports the audit log with its proof', async () => {
    const { user } = open(() => proof());
    const button = await screen.findByRole('button', { name: 'Export NDJSON with proof' });
    const answered = globalThis.fetch;
    const asked: string[] = [];
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : input.toString();
      if (!address.startsWith('/audit/')) return answered(input, init);
      asked.push(address);
      return new Response(
        JSON.stringify({
          errors: [{ message: 'Later.', extensions: { code: 'CONFLICT', rule: 'LOG_CHAIN_BEHIND' } }],
        }),
        { status: 409 },
      );
    };
    await user.click(button);
    expect(await screen.findByText(/still being computed|Later/)).toBeVisible();
    expect(asked).toEqual(['/audit/proof/export.ndjson']);
    await waitFor(() => expect(button).toBeEnabled());
  });

  it('shows an error, and retries', async () => {
    let fails = true;
    const { user } = open(() => {
      if (fails) throw apiError('No.', 'INTERNAL');
      return proof();
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    fails = false;
    await user.click(retry);
    expect(await section('Hash chain')).toBeVisible();
  });

  it('is hidden from students', async () => {
    const { api } = open(() => proof(), null);
    expect(await screen.findByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible();
    expect(api.calls('LogProof')).toEqual([]);
  });
});
