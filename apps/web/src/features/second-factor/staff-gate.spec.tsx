import { expect, it } from '@jest/globals';
import { ApolloProvider, useQuery } from '@apollo/client/react';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SpaceSubjectsDocument } from '../../generated/graphql';
import { createApolloClient } from '../../lib/api/apollo';
import { physics } from '../../testing/ask-fixtures';
import { apiError, fakeApi, type Answers } from '../../testing/fake-api';
import { renderPart } from '../../testing/render-part';
import { StaffGate } from './staff-gate';

const factor = (changes: object = {}) => ({
  isRequired: true,
  opensStaffAreas: true,
  isRecent: false,
  hasTotp: true,
  passkeys: [],
  recoveryCodesLeft: 10,
  passkeyHost: 'localhost',
  reset: null,
  ...changes,
});

/** A sample staff screen with an input and a request. */
function Area() {
  const { data, refetch } = useQuery(SpaceSubjectsDocument, { variables: { space: 's' } });
  return (
    <main>
      <label>
        Reason <input />
      </label>
      <button onClick={() => void refetch().catch(() => undefined)}>Ask again</button>
      {data?.getSubjectsForSpace.map(({ _id, subjectName }) => (
        <p key={_id}>{subjectName}</p>
      ))}
    </main>
  );
}

function open(answers: Answers = {}) {
  const api = fakeApi({
    getSecondFactor: () => factor(),
    getSubjectsForSpace: () => [physics],
    confirmSecondFactor: () => ({ flag: 1 }),
    ...answers,
  });
  renderPart(
    <ApolloProvider client={createApolloClient()}>
      <StaffGate>
        <Area />
      </StaffGate>
    </ApolloProvider>,
  );
  return { api, user: userEvent.setup() };
}

it('shows the area once the second factor is confirmed', async () => {
  open();
  expect(await screen.findByText(physics.subjectName)).toBeVisible();
});

it('asks for the factor before the area sends any request', async () => {
  const { api, user } = open({ getSecondFactor: () => factor({ opensStaffAreas: false }) });
  expect(await screen.findByRole('heading', { name: 'Confirm with your second factor' })).toBeVisible();
  expect(api.calls('SpaceSubjects')).toEqual([]);
  await user.type(screen.getByLabelText('Code'), '123 456');
  api.change({ getSecondFactor: () => factor() });
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(physics.subjectName)).toBeVisible();
  expect(api.calls('ConfirmSecondFactor')[0]?.variables).toEqual({ code: '123 456' });
});

it('offers setup to staff without a factor', async () => {
  open({ getSecondFactor: () => factor({ opensStaffAreas: false, hasTotp: false }) });
  expect(await screen.findByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Authenticator app' })).toBeChecked();
});

it('asks again when the confirmation has expired, and keeps typed text', async () => {
  const { api, user } = open();
  await user.type(await screen.findByLabelText('Reason'), 'Insults');
  api.change({
    getSecondFactor: () => factor({ opensStaffAreas: false }),
    getSubjectsForSpace: () => {
      throw apiError('Confirm first.', 'FORBIDDEN', undefined, 'SECOND_FACTOR_REQUIRED');
    },
  });
  await user.click(screen.getByRole('button', { name: 'Ask again' }));
  expect(await screen.findByRole('heading', { name: 'Confirm with your second factor' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Ask again' })).toBeNull();
  api.change({ getSecondFactor: () => factor(), getSubjectsForSpace: () => [physics] });
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('button', { name: 'Ask again' })).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveValue('Insults');
});
