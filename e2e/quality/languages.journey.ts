import { unique } from '../support/api.js';
import { openAsk } from '../support/composer.js';
import { expect, test } from '../support/journey.js';
import { leftoverFinder } from '../support/leftovers.js';

interface Words {
  readonly own: string;
  readonly choice: string;
  readonly userName: string;
  readonly password: string;
  readonly logIn: string;
  readonly refused: string;
  readonly mySpaces: string;
  readonly joined: string;
  readonly ask: string;
  readonly submit: string;
  readonly titleMissing: string;
  readonly close: string;
  readonly leaderboard: string;
  readonly rank: RegExp;
  readonly menu: string;
  readonly date: RegExp;
}

// Repeated here literally, as a speaker of the language would read it on the screen.
const LANGUAGES: Readonly<Record<string, Words>> = {
  en: {
    own: 'English',
    choice: 'Language',
    userName: 'Username',
    password: 'Password',
    logIn: 'Log In',
    refused: 'Incorrect username or password.',
    mySpaces: 'My Spaces',
    joined: 'Joined',
    ask: 'Ask your Question',
    submit: 'Submit',
    titleMissing: 'Please add question title.',
    close: 'Cancel',
    leaderboard: 'LeaderBoard',
    rank: /^Your rank is \d+ with score of \d+ !$/,
    menu: 'Main menu',
    date: /ago|now/,
  },
  de: {
    own: 'Deutsch',
    choice: 'Sprache',
    userName: 'Benutzername',
    password: 'Passwort',
    logIn: 'Anmelden',
    refused: 'Benutzername oder Passwort ist falsch.',
    mySpaces: 'Meine Räume',
    joined: 'Beigetreten',
    ask: 'Frage stellen',
    submit: 'Absenden',
    titleMissing: 'Bitte gib der Frage einen Titel.',
    close: 'Abbrechen',
    leaderboard: 'Rangliste',
    rank: /^Du bist auf Rang \d+ mit \d+ Punkten!$/,
    menu: 'Hauptmenü',
    date: /vor|jetzt/,
  },
  es: {
    own: 'Español',
    choice: 'Idioma',
    userName: 'Nombre de usuario',
    password: 'Contraseña',
    logIn: 'Iniciar sesión',
    refused: 'Nombre de usuario o contraseña incorrectos.',
    mySpaces: 'Mis espacios',
    joined: 'Te has unido',
    ask: 'Hacer una pregunta',
    submit: 'Enviar',
    titleMissing: 'Añade un título a la pregunta.',
    close: 'Cancelar',
    leaderboard: 'Clasificación',
    rank: /^Estás en el puesto \d+ con una puntuación de \d+\.$/,
    menu: 'Menú principal',
    date: /hace|ahora/,
  },
  it: {
    own: 'Italiano',
    choice: 'Lingua',
    userName: 'Nome utente',
    password: 'Password',
    logIn: 'Accedi',
    refused: 'Nome utente o password errati.',
    mySpaces: 'I miei spazi',
    joined: 'Ne fai parte',
    ask: 'Fai la tua domanda',
    submit: 'Invia',
    titleMissing: 'Scrivi il titolo della domanda.',
    close: 'Annulla',
    leaderboard: 'Classifica',
    rank: /^Sei in \d+ª posizione con un punteggio di \d+!$/,
    menu: 'Menu principale',
    date: /fa|ora/,
  },
  ru: {
    own: 'Русский',
    choice: 'Язык',
    userName: 'Имя пользователя',
    password: 'Пароль',
    logIn: 'Войти',
    refused: 'Неверное имя пользователя или пароль.',
    mySpaces: 'Мои пространства',
    joined: 'Ты участник',
    ask: 'Задать вопрос',
    submit: 'Отправить',
    titleMissing: 'Добавь заголовок вопроса.',
    close: 'Отмена',
    leaderboard: 'Рейтинг',
    rank: /^Твоё место: \d+, баллы: \d+!$/,
    menu: 'Главное меню',
    date: /назад|сейчас/,
  },
};

for (const [language, words] of Object.entries(LANGUAGES)) {
  test(`everything is in ${words.own}, and the choice survives a reload`, async ({ page, api }) => {
    const student = await api.newStudent();
    await api.ask(student, unique('¿Wie спросить?'));
    const leftovers = await leftoverFinder(language);

    await page.goto('/login');
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: words.own });
    await expect(page.getByRole('combobox', { name: words.choice })).toHaveValue(language);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect(await page.evaluate('localStorage.getItem("I18N_LANGUAGE")')).toBe(language);
    await page.getByLabel(words.userName).fill(student.userName);
    await page.getByRole('textbox', { name: words.password }).fill('not the right one');
    await page.getByRole('button', { name: words.logIn, exact: true }).click();
    await expect(page.getByRole('alert')).toHaveText(words.refused);
    expect(await leftovers(page)).toEqual([]);

    await page.reload();
    await expect(page.getByRole('combobox', { name: words.choice })).toHaveValue(language);
    await page.getByLabel(words.userName).fill(student.userName);
    await page.getByRole('textbox', { name: words.password }).fill(student.password);
    await page.getByRole('button', { name: words.logIn, exact: true }).click();
    await expect(page.getByRole('heading', { name: words.mySpaces })).toBeVisible();
    expect(await leftovers(page)).toEqual([]);

    await page
      .getByRole('button', { name: new RegExp(`Greenfield High.*${words.joined}`) })
      .first()
      .click();
    await expect(page).toHaveURL(/dashboard/);
    await expect(page.getByRole('article').first().getByRole('time').first()).toHaveText(words.date);
    expect(await leftovers(page)).toEqual([]);
    const form = await openAsk(page, words.ask);
    await form.getByRole('button', { name: words.submit }).click();
    await expect(form.getByText(words.titleMissing)).toBeVisible();
    await expect(form.getByRole('toolbar')).toBeVisible();
    expect(await leftovers(page)).toEqual([]);
    await form.getByRole('button', { name: words.close }).first().click();
    await expect(form).toHaveCount(0);

    await page.goto('/leaderboard');
    await expect(page.getByRole('heading', { level: 1, name: words.leaderboard })).toBeVisible();
    await expect(page.getByText(words.rank)).toBeVisible();
    await expect(page.getByRole('navigation', { name: words.menu })).toBeVisible();
    expect(await leftovers(page)).toEqual([]);
  });
}
