import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthUser, newSpace, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './log-event-screen';
import './log-screen';
import './log-stream-screen';

const me = newAuthUser();
const event = (ordinal: number, changes: object = {}) => ({
  ordinal,
  eventId: `00000000-0000-4000-8000-${String(ordinal).padStart(12, '0')}`,
  type: 'VoteCast',
  streamId: 'vote-…',
  revision: 0,
  recordedAt: '2026-11-20T08:00:01.000Z',
  occurredAt: '2026-11-20T08:00:01.000Z',
  actorKind: 'student',
  operator: null,
  commandId: 'command-1',
  correlationId: 'correlation-1',
  causationId: 'command-1',
  schemaVersion: 1,
  isStaffAction: false,
  ...changes,
});
const detail = (ordinal: number, changes: object = {}, ofEvent: object = {}) => ({
  event: event(ordinal, ofEvent),
  undecodable: null,
  data: [
    { name: 'postId', value: 'post-1', isProtected: false },
    { name: 'voterId', value: 'text, 36 characters', isProtected: true },
  ],
  ...changes,
});
const page = (ordinals: readonly number[], changes: object = {}) => ({
  events: ordinals.map((ordinal) => event(ordinal)),
  fromOrdinal: ordinals.at(-1) ?? 1,
  toOrdinal: ordinals[0] ?? 0,
  lastOrdinal: 1_200,
  ...changes,
});
const fifty = (last: number) => Array.from({ length: 50 }, (_, index) => last - index);

const originalFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = originalFetch;
});

function open(path: string, answers: Answers) {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MAINTAINER', space: null }] }),
    getSpaces: () => [newSpace()],
    getLogProof: () => ({ mismatches: [] }),
    getLogFilters: () => ({ types: ['QuestionAsked', 'VoteCast'], categories: ['question-', 'vote-'] }),
    ...answers,
  });
  const user = userEvent.setup({ delay: null });
  return { api, user, ...renderApp(path, { user: me }) };
}

const variablesOf = (api: ReturnType<typeof open>['api'], operation: string) =>
  api.calls(operation).map(({ variables }) => variables);

describe('the event log', () => {
  it('lists events with their time to the second and leads to event and stream', async () => {
    open('/maintenance/log', { getLogEvents: () => page([1_200, 1_199]) });
    const table = await screen.findByRole('table', { name: 'Event log' });
    expect(within(table).getByRole('link', { name: '1,200' })).toHaveAttribute(
      'href',
      '/maintenance/log/1200',
    );
    expect(within(table).getByRole('link', { name: 'vote-…, stream of event 1,199' })).toHaveAttribute(
      'href',
      '/maintenance/log/stream?of=1199',
    );
    const [time] = within(table).getAllByText(/2026/);
    expect(time).toHaveTextContent(/:\d\d:01/);
    expect(screen.getByRole('link', { name: 'Log' })).toHaveAttribute('href', '/maintenance/log');
  });

  it('pages back and returns to the newest events', async () => {
    const { api, user } = open('/maintenance/log', {
      getLogEvents: ({ before }) => page(fifty(Number(before ?? 1_201) - 1)),
    });
    expect(await screen.findByText('Events 1,151 to 1,200 of 1,200')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Newer' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Older' }));
    expect(await screen.findByText('Events 1,101 to 1,150 of 1,200')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Newer' }));
    expect(await screen.findByText('Events 1,151 to 1,200 of 1,200')).toBeVisible();
    expect(variablesOf(api, 'LogEvents')).toMatchObject([
      { before: null, after: null },
      { before: 1_151, after: null },
      { before: null, after: null },
    ]);
  });

  it('says how far it searched for a rare type, and goes on from there', async () => {
    const { api, user } = open('/maintenance/log?type=VoteCast', {
      getLogEvents: () => page([], { fromOrdinal: 700, toOrdinal: 1_200 }),
    });
    expect(await screen.findByText('No event from 700 to 1,200 matches the filters.')).toBeVisible();
    expect(screen.getByText('Searched back to event 700 of 1,200.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Search older events' }));
    expect(variablesOf(api, 'LogEvents').at(-1)).toMatchObject({ type: 'VoteCast', before: 700 });
  });

  it('starts at the newest events when a filter changes', async () => {
    const { api, user } = open('/maintenance/log?before=500', { getLogEvents: () => page(fifty(499)) });
    await user.click(await screen.findByRole('combobox', { name: 'Event type' }));
    await user.click(await screen.findByRole('option', { name: 'QuestionAsked' }));
    expect(variablesOf(api, 'LogEvents').at(-1)).toMatchObject({ type: 'QuestionAsked', before: null });
  });

  it.each([
    ['1,234', 'Event 1,234'],
    ['question-1', 'Stream'],
  ])('goes to %s', async (text, heading) => {
    const { user } = open('/maintenance/log', {
      getLogEvents: () => page([1]),
      getLogEvent: () => detail(1_234),
      getLogStream: () => ({ streamId: 'question-1', events: [event(4)], hasMore: false }),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Go to' }), `${text}{Enter}`);
    expect(await screen.findByRole('heading', { name: heading, level: 1 })).toBeVisible();
  });
});

describe('an event of the log', () => {
  it('shows its data without protected values', async () => {
    open('/maintenance/log/7', { getLogEvent: () => detail(7) });
    const data = await screen.findByRole('region', { name: 'Event data' });
    expect(within(data).getByRole('row', { name: 'postId post-1' })).toBeVisible();
    expect(within(data).getByRole('row', { name: 'voterId Protected (text, 36 characters)' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'All events of this stream' })).toHaveAttribute(
      'href',
      '/maintenance/log/stream?of=7',
    );
    expect(screen.queryByRole('link', { name: 'Audit entry' })).toBeNull();
  });

  it('leads to the audit for a staff action', async () => {
    open('/maintenance/log/7', { getLogEvent: () => detail(7, {}, { isStaffAction: true }) });
    expect(await screen.findByRole('link', { name: 'Audit entry' })).toHaveAttribute('href', '/audit/7');
  });

  it('says why an event cannot be read', async () => {
    open('/maintenance/log/7', { getLogEvent: () => detail(7, { undecodable: 'a later version' }) });
    expect(await screen.findByRole('alert')).toHaveTextContent('a later version');
  });

  it.each(['7', '0', 'x'])('reports a missing event: %s', async (named) => {
    open(`/maintenance/log/${named}`, { getLogEvent: () => null });
    expect(await screen.findByRole('heading', { name: 'Event not found' })).toBeVisible();
  });
});

describe('a stream of the log', () => {
  it('pages through its events', async () => {
    const { api, user } = open('/maintenance/log/stream?of=9', {
      getLogStream: ({ fromRevision }) => ({
        streamId: 'vote-…',
        events: fifty(1_050 + Number(fromRevision)).map((ordinal) => event(ordinal)),
        hasMore: fromRevision === 0,
      }),
    });
    expect(await screen.findByText('vote-…')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Earlier' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Later' }));
    expect(await screen.findByRole('link', { name: '1,100' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Later' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Earlier' }));
    expect(variablesOf(api, 'LogStream')).toMatchObject([
      { ordinal: 9, streamId: null, fromRevision: 0 },
      { ordinal: 9, streamId: null, fromRevision: 50 },
      { ordinal: 9, streamId: null, fromRevision: 0 },
    ]);
  });

  it('reports a missing stream', async () => {
    open('/maintenance/log/stream?id=question-1', { getLogStream: () => null });
    expect(await screen.findByRole('heading', { name: 'Stream not found' })).toBeVisible();
  });

  it('explains why streams of students cannot be looked up', async () => {
    open('/maintenance/log/stream?id=student-1', {
      getLogStream: () => {
        throw apiError('Not by name.', 'VALIDATION_FAILED', 'streamId', 'STREAM_NAMES_PERSON');
      },
    });
    expect(await screen.findByText('Not by name.')).toBeVisible();
  });
});
