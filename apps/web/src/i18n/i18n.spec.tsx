import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { apiError, fakeApi } from '../testing/fake-api';
import { newAuthUser } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';
import { GraphqlError } from '../lib/api/graphql-fetch';
import { errorText } from '../lib/api/errors';
import '../screens/student/login/login-screen';
import '../screens/student/spaces/spaces-screen';
import { chooseLanguage, i18n, languageKey, restoreLanguage } from './i18n';
import { languageCodes, languages } from './languages';

beforeEach(() => localStorage.removeItem(languageKey));
afterEach(() => act(() => chooseLanguage('en')));

describe('a count', () => {
  it('is written like numbers of its language, other values as they are', async () => {
    const count = () => i18n.t('ask:answers.heading', { count: 14_309 });
    await act(() => chooseLanguage('de'));
    expect(count()).toBe('14.309 Antworten');
    await act(() => chooseLanguage('en'));
    expect(count()).toBe('14,309 Answers');
    expect(i18n.t('ask:answers.heading', { count: 1 })).toBe('1 Answer');
    expect(i18n.t('userDetail:joined', { date: 2026 })).toBe('Member since 2026');
  });
});

describe('the language choice', () => {
  it('defaults to English, also if the stored value is invalid', async () => {
    await restoreLanguage();
    expect(i18n.language).toBe('en');
    localStorage.setItem(languageKey, 'xx');
    await restoreLanguage();
    expect(i18n.language).toBe('en');
  });

  it('offers five languages under their own names', async () => {
    fakeApi({});
    renderApp('/login');
    const choice = await screen.findByRole('combobox', { name: 'Language' });
    expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'English',
      'Deutsch',
      'Español',
      'Italiano',
      'Русский',
    ]);
    expect(languageCodes).toHaveLength(5);
  });

  it('changes the whole screen immediately, and is stored as I18N_LANGUAGE', async () => {
    fakeApi({ getSpaces: () => [] });
    const user = userEvent.setup();
    renderApp('/space', { user: newAuthUser() });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), languages.de);
    expect(await screen.findByRole('combobox', { name: 'Sprache' })).toHaveValue('de');
    expect(screen.getByRole('button', { name: 'Konto von isha_patel' })).toBeVisible();
    expect(document.documentElement).toHaveAttribute('lang', 'de');
    expect(localStorage.getItem('I18N_LANGUAGE')).toBe('de');
  });

  it('is sent with every request', async () => {
    const api = fakeApi({ getSpaces: () => [] });
    await act(() => chooseLanguage('it'));
    renderApp('/space', { user: newAuthUser() });
    await waitFor(() => expect(api.calls('Spaces')).not.toEqual([]));
    expect(api.calls('Spaces').map(({ language }) => language)).toEqual(['it']);
  });

  it('survives a reload, and follows another tab', async () => {
    localStorage.setItem(languageKey, 'de');
    await restoreLanguage();
    expect(i18n.language).toBe('de');
    localStorage.setItem(languageKey, 'ru');
    window.dispatchEvent(new StorageEvent('storage', { key: languageKey, newValue: 'ru' }));
    await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'ru'));
  });
});

describe('a refusal of the API', () => {
  const refused = (message: string, extensions: object) => errorText(new GraphqlError(message, extensions));

  it("is shown in the API's wording in English", () =>
    expect(refused('Username already exist!', { rule: 'USERNAME_TAKEN' })).toBe('Username already exist!'));

  it('is translated by its rule, with its parameters', async () => {
    await chooseLanguage('de');
    expect(refused('Username already exist!', { rule: 'USERNAME_TAKEN' })).toBe(
      'Dieser Benutzername ist schon vergeben.',
    );
    expect(
      refused('Username can’t be longer than 30 characters.', {
        rule: 'USERNAME_TOO_LONG',
        params: { max: 30 },
      }),
    ).toBe('Der Benutzername darf höchstens 30 Zeichen haben.');
    expect(refused('Something went wrong!', { code: 'INTERNAL' })).toBe(
      'Etwas ist schiefgelaufen. Bitte versuche es in 10\u00a0Minuten noch einmal.',
    );
  });

  it("stays in the API's wording without a translation", async () => {
    await chooseLanguage('de');
    expect(refused('Something of tomorrow.', { rule: 'OF_TOMORROW' })).toBe('Something of tomorrow.');
    expect(errorText(apiError('Not a client’s error', 'X'))).toBe(i18n.t('shell:error.unreachable'));
  });
});
