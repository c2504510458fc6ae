import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { v4 as uuid } from 'uuid';
import { fakeApi } from '../../../testing/fake-api';
import { newAuthor, newAuthUser, newSpace } from '../../../testing/fixtures';
import { renderApp } from '../../../testing/render-app';
import './entry-screen';

const space = newSpace({ consent: { age: 16, stated: null, guardian: null } });
const me = newAuthUser();

describe('ages and consent', () => {
  it('are shown for each student, whose age can be reset', async () => {
    const younger = {
      _id: uuid(),
      age: 16,
      consent: 'GIVEN',
      consentAt: '2026-11-20T10:00:00.000Z',
      termsVersion: 'nimo-1',
      isMember: true,
      student: newAuthor(),
    };
    const api = fakeApi({
      getStudent: () => ({ ...me, roles: [{ role: 'MODERATOR', space: space._id }] }),
      getSpaces: () => [space],
      getEntryRequests: () => ({ docs: [], page: 1, hasNext: false }),
      getYoungerStudents: () => ({ docs: [younger], page: 1, hasNext: false }),
      clearAge: () => ({ flag: 1 }),
    });
    renderApp('/moderation/entry', { user: me, space });
    const ages = within(await screen.findByRole('region', { name: 'Ages and consent' }));
    expect(await ages.findByText(/^under 16 · guardian agreed · terms nimo-1 · member/)).toBeVisible();
    api.change({ getYoungerStudents: () => ({ docs: [], page: 1, hasNext: false }) });
    await userEvent
      .setup({ delay: null })
      .click(ages.getByRole('button', { name: 'Reset meera_nair’s age' }));
    expect(await ages.findByText('No students under that age')).toBeVisible();
    expect(api.calls('ForgetAge')[0]?.variables).toEqual({ space: space._id, studentId: younger._id });
  });
});
