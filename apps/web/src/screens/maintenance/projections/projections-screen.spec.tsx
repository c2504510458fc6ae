import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import '../../../app/area-routes';
import '../../../features/areas/require-area';
import { apiError, fakeApi, type Answers } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newStudent } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './projection-screen';
import './projections-screen';

const me = newAuthUser();
const at = '2026-10-01T10:00:00.000Z';
const serving = {
  generation: 3,
  version: 7,
  status: 'live',
  ordinal: 1200,
  bytes: 4_200_000,
  startedAt: at,
  switchedAt: at,
  leader: 'worker-1',
  isSwitchable: false,
};
const former = { ...serving, generation: 2, status: 'retired', isSwitchable: true, leader: null };
const questions = {
  name: 'questions',
  purpose: 'questions with answers',
  version: 7,
  state: 'FOLLOWING',
  lagEvents: 0,
  lagMs: 0,
  eventsPerSecond: 12,
  live: serving,
  error: null,
  skipped: [] as object[],
  rebuild: null as object | null,
  verification: null as object | null,
  lastVerification: null as object | null,
  generations: [serving, former],
  history: [] as object[],
};
const work = { generation: 4, done: 300, total: 1200, eventsPerSecond: 25_000, secondsLeft: 90 };
const rebuilding = { ...work, isHeld: false, isReady: false, isRollback: false, error: null, startedAt: at };
const stopped = {
  ...questions,
  state: 'STOPPED',
  error: {
    eventId: 'd0a7a7c2-0000-4000-8000-000000000001',
    eventType: 'QuestionAsked',
    ordinal: 1201,
    message: 'value too long',
    at,
  },
};

function open(answers: Answers = {}, address = '/maintenance/projections/questions') {
  const api = fakeApi({
    getStudent: () => newStudent({ _id: me._id, roles: [{ role: 'MAINTAINER', space: null }] }),
    getSpaces: () => [],
    getProjections: () => [questions],
    getProjection: () => questions,
    getStoppedEvents: () => [],
    ...answers,
  });
  return { api, user: userEvent.setup(), ...renderApp(address, { user: me }) };
}

/** Presses a button, and the button of the same name in the confirmation dialog. */
async function press(user: ReturnType<typeof userEvent.setup>, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name }));
  const dialog = await screen.findByRole('dialog', { name });
  await user.click(within(dialog).getByRole('button', { name }));
}

describe('the maintenance area', () => {
  const mismatches = [{ detail: 'The log ends before ordinal 7.', ordinal: 7, foundAt: at }];

  it('shows on every page that the log does not match, and what to do', async () => {
    open({ getLogProof: () => ({ mismatches }) }, '/maintenance');
    const alarm = await screen.findByRole('alert');
    expect(alarm).toHaveTextContent('The log does not match its proof');
    expect(alarm).toHaveTextContent('Do not change the database');
    expect(within(alarm).getByRole('listitem')).toHaveTextContent('The log ends before ordinal 7.');
  });

  it('shows nothing if the log matches', async () => {
    const { api } = open({ getLogProof: () => ({ mismatches: [] }) }, '/maintenance');
    expect(await screen.findByRole('heading', { level: 1, name: 'Projections' })).toBeVisible();
    await waitFor(() => expect(api.calls('LogAlarm')).toHaveLength(1));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the list of projections', () => {
  it('shows each with its state, and the time left of running rebuilds', async () => {
    open(
      {
        getProjections: () => [
          { ...questions, rebuild: rebuilding },
          { ...stopped, name: 'search' },
        ],
      },
      '/maintenance',
    );
    const table = await screen.findByRole('table', { name: 'Projections' });
    expect(within(table).getByText('Up to date')).toBeVisible();
    expect(within(table).getByText(/300 of 1,200/)).toBeVisible();
    expect(within(table).getByRole('progressbar', { name: 'Rebuilding' })).toHaveAttribute(
      'aria-valuenow',
      '25',
    );
    expect(within(table).getByText('Stopped at event 1,201 (QuestionAsked): value too long')).toBeVisible();
    const [link] = within(table).getAllByRole('link', { name: 'questions' });
    expect(link).toHaveAttribute('href', '/maintenance/projections/questions');
  });

  it('shows the progress of a joint rebuild by its slowest projection', async () => {
    const further = { ...rebuilding, done: 900 };
    const ready = { ...rebuilding, isReady: true };
    open(
      {
        getProjections: () => [
          { ...questions, rebuild: further },
          { ...questions, name: 'students', rebuild: rebuilding },
          { ...questions, name: 'spaces', rebuild: ready },
          { ...stopped, name: 'search', rebuild: rebuilding },
        ],
      },
      '/maintenance',
    );
    const together = await screen.findByRole('progressbar', {
      name: 'Rebuilding 2 projections',
    });
    expect(together).toHaveAttribute('aria-valuenow', '25');
  });

  it('switches all that are ready, and names one that was refused', async () => {
    const held = { ...rebuilding, isHeld: true, isReady: true };
    const { api, user } = open(
      {
        getProjections: () => [
          { ...questions, rebuild: held },
          { ...questions, name: 'students', rebuild: { ...held, generation: 7 } },
          { ...questions, name: 'spaces', rebuild: rebuilding },
        ],
        switchProjection: ({ name }) => {
          if (name === 'questions') throw apiError('The log does not match its proof.', 'CONFLICT');
          return { ...questions, name: 'students' };
        },
      },
      '/maintenance',
    );
    await user.click(await screen.findByRole('button', { name: 'Switch all' }));
    const dialog = await screen.findByRole('dialog', { name: 'Switch all' });
    expect(dialog).toHaveTextContent('questions, students');
    await user.click(within(dialog).getByRole('button', { name: 'Switch' }));
    expect(
      await screen.findByText('questions was not switched: The log does not match its proof.'),
    ).toBeVisible();
    expect(api.calls('SwitchProjection').map(({ variables }) => variables)).toEqual([
      { name: 'questions', generation: 4 },
      { name: 'students', generation: 7 },
    ]);
    expect(screen.queryByText('Switches requested')).toBeNull();
  });

  it('shows the event that stopped several without personal data, and skips it in all of them', async () => {
    let isSkipped = false;
    const event = {
      ...{ eventId: stopped.error.eventId, eventType: 'QuestionAsked', ordinal: 1201 },
      projections: ['questions', 'search'],
      data: [
        { name: 'questionId', value: 'q1', isProtected: false },
        { name: 'title', value: 'text, 900 characters', isProtected: true },
      ],
    };
    const { api, user } = open(
      {
        getProjections: () => [stopped, { ...stopped, name: 'search' }],
        getStoppedEvents: () => (isSkipped ? [] : [event]),
        skipEventInAllProjections: () => {
          isSkipped = true;
          return [questions, { ...questions, name: 'search' }];
        },
      },
      '/maintenance',
    );
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Stopped at this event: questions, search');
    expect(within(alert).getByRole('row', { name: 'questionId q1' })).toBeVisible();
    expect(within(alert).getByRole('row', { name: 'title Protected (text, 900 characters)' })).toBeVisible();
    await user.click(within(alert).getByRole('button', { name: 'Skip event everywhere' }));
    const dialog = await screen.findByRole('dialog', { name: 'Skip event everywhere' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Made by a fault of May');
    await user.click(within(dialog).getByRole('button', { name: 'Skip event' }));
    expect(await screen.findByText('Event skipped')).toBeVisible();
    expect(api.calls('SkipEventInAllProjections').map(({ variables }) => variables)).toEqual([
      { eventId: event.eventId, reason: 'Made by a fault of May' },
    ]);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('does not ask for stopped events while none is stopped', async () => {
    const { api } = open({}, '/maintenance');
    expect(await screen.findByText('Up to date')).toBeVisible();
    expect(api.calls('StoppedEvents')).toHaveLength(0);
  });

  it('offers no joint switch for a single projection that is ready', async () => {
    const held = { ...rebuilding, isHeld: true, isReady: true };
    open({ getProjections: () => [{ ...questions, rebuild: held }] }, '/maintenance');
    expect(await screen.findByText('Ready to switch')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Switch all' })).toBeNull();
  });

  it('shows a stopped rebuild without a time left', async () => {
    const halted = { ...rebuilding, secondsLeft: null, error: { message: 'value too long' } };
    open({ getProjections: () => [{ ...stopped, state: 'FOLLOWING', rebuild: halted }] }, '/maintenance');
    expect(await screen.findByText('Rebuild stopped at an event')).toBeVisible();
    expect(screen.queryByText(/left/)).toBeNull();
  });

  it('rebuilds all after confirmation', async () => {
    const { api, user } = open({ rebuildProjections: () => [questions] }, '/maintenance');
    await user.click(await screen.findByRole('button', { name: 'Rebuild all' }));
    expect(api.calls('RebuildProjections')).toHaveLength(0);
    const dialog = await screen.findByRole('dialog', { name: 'Rebuild all' });
    await user.click(within(dialog).getByRole('button', { name: 'Rebuild' }));
    expect(await screen.findByText('Rebuilds requested')).toBeVisible();
    expect(api.calls('RebuildProjections')[0]?.variables).toEqual({ names: ['questions'], hold: false });
  });
});

describe('a projection', () => {
  it.each([
    ['Rebuild', false],
    ['Rebuild and hold', true],
  ])('is rebuilt by "%s"', async (button, hold) => {
    let current: object = questions;
    const { api, user } = open({
      getProjection: () => current,
      rebuildProjections: () => [(current = { ...questions, rebuild: rebuilding })],
    });
    await press(user, button);
    expect(await screen.findByText('Building generation 4')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Rebuild' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Cancel rebuild' })).toBeVisible();
    expect(api.calls('RebuildProjections')[0]?.variables).toEqual({ names: ['questions'], hold });
  });

  it('that is ready is switched manually', async () => {
    const held = { ...rebuilding, isHeld: true, isReady: true };
    const { api, user } = open({
      getProjection: () => ({ ...questions, rebuild: held }),
      switchProjection: () => questions,
    });
    expect(await screen.findByText('Generation 4 is ready to switch')).toBeVisible();
    await press(user, 'Switch');
    expect(api.calls('SwitchProjection')[0]?.variables).toEqual({ name: 'questions', generation: 4 });
  });

  it('reverts to its previous generation', async () => {
    const { api, user } = open({ switchProjection: () => questions });
    const table = await screen.findByRole('table', { name: 'Generations' });
    expect(within(table).getByText('3 (version 7)')).toBeVisible();
    await press(user, 'Switch back');
    expect(await screen.findByText('Switch requested')).toBeVisible();
    expect(api.calls('SwitchProjection')[0]?.variables).toEqual({ name: 'questions', generation: 2 });
  });

  it('shows both hashes, the number of differing rows, and who started the check', async () => {
    open({
      getProjection: () => ({
        ...questions,
        lastVerification: {
          outcome: 'DIFFERENT',
          ordinal: 1200,
          liveHash: 'aaaa',
          rebuiltHash: 'bbbb',
          error: null,
          differing: [
            { table: 'questions', rows: 1200 },
            { table: 'answers', rows: 1 },
          ],
          finishedAt: at,
        },
        history: [
          {
            _id: 'h1',
            kind: 'ProjectionVerificationStarted',
            at,
            actorKind: 'student',
            operator: null,
            actor: newAuthor({ userName: 'sam_admin' }),
            generation: null,
            hold: null,
            outcome: null,
            eventType: null,
            ordinal: null,
            reason: null,
          },
          {
            _id: 'h2',
            kind: 'ProjectionVerificationStarted',
            at,
            actorKind: 'student',
            operator: null,
            actor: newAuthor({ userName: '' }),
            generation: null,
            hold: null,
            outcome: null,
            eventType: null,
            ordinal: null,
            reason: null,
          },
        ],
      }),
    });
    expect(await screen.findByText('Differs from the event log')).toBeVisible();
    expect(screen.getByText('Live: aaaa')).toBeVisible();
    expect(screen.getByText('Rebuilt: bbbb')).toBeVisible();
    expect(screen.getByText('questions: 1,200 rows differ')).toBeVisible();
    expect(screen.getByText('answers: 1 row differs')).toBeVisible();
    expect(screen.getByText('npm run nimo -- projections verify questions')).toBeVisible();
    const history = screen.getByRole('region', { name: 'Activity' });
    expect(within(history).getAllByText('Verification started')).toHaveLength(2);
    expect(within(history).getByText(/sam_admin/)).toBeVisible();
    expect(within(history).getByText(/Deleted student/)).toBeVisible();
  });

  it('that is ahead of the log shows what to do', async () => {
    open({ getProjection: () => ({ ...questions, state: 'AHEAD' }) });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('This projection’s checkpoint is past the end of the log');
    expect(screen.getByRole('button', { name: 'Rebuild' })).toBeVisible();
  });

  it('that stopped can be retried', async () => {
    const { api, user } = open({ getProjection: () => stopped, retryProjection: () => questions });
    expect(await screen.findByText('value too long')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Retry event' }));
    expect(await screen.findByText('Event retried')).toBeVisible();
    expect(api.calls('RetryProjection')[0]?.variables).toEqual({ name: 'questions' });
  });

  it('skips an event only with a reason, and shows a refusal', async () => {
    const { api, user } = open({
      getProjection: () => stopped,
      skipProjectionEvent: () => {
        throw apiError('It does not stand at that event any more.', 'CONFLICT');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Skip event' }));
    const dialog = await screen.findByRole('dialog', { name: 'Skip event' });
    const skip = within(dialog).getByRole('button', { name: 'Skip event' });
    expect(skip).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Made by a fault of May');
    await user.click(skip);
    expect(await screen.findByText('It does not stand at that event any more.')).toBeVisible();
    expect(dialog).toBeVisible();
    expect(api.calls('SkipProjectionEvent')[0]?.variables).toEqual({
      name: 'questions',
      eventId: stopped.error.eventId,
      reason: 'Made by a fault of May',
    });
  });

  it('that does not exist shows a message', async () => {
    open({
      getProjection: () => {
        throw apiError('There is no such projection.', 'NOT_FOUND');
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such projection.');
  });
});
