import { beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import '../features/comments/comment-editor';
import '../features/editor/rich-text-editor';
import '../features/questions/question-form';
import '../screens/student/ask/ask-screen';
import '../screens/student/dashboard/dashboard-screen';
import '../screens/student/forgot-password/forgot-password-screen';
import '../screens/student/login/login-screen';
import '../screens/student/profile/profile-screen';
import '../screens/student/register/register-screen';
import '../screens/student/search/search-screen';
import '../screens/student/settings/settings-screen';
import '../screens/student/single-question/single-question-screen';
import {
  isha,
  ishaAsAuthor,
  newAnswer,
  newQuestionDetail,
  space,
  spaceAnswers,
} from '../testing/ask-fixtures';
import { fakeApi } from '../testing/fake-api';
import { newScore, newStudent } from '../testing/fixtures';
import { renderApp } from '../testing/render-app';
import { timings } from '../lib/timings';

/*
 * The validation rules of the specification (section 5), in its order: input, message, and that nothing is sent. The
 * server side is in apps/api/src/platform/validation.e2e-spec.ts. Only the client checks the confirmation of a password
 * and its three messages for empty fields, and the field messages of the login.
 */

interface Rule {
  rule: string;
  enter: (user: UserEvent) => Promise<void>;
  says: string | readonly string[];
  /** Inputs that must not be sent. */
  unsent: string;
}

const BAD_USER_NAME =
  'Username should contain not contain any spaces or special characters except underscore!';
const EMPTY_USER_NAME = 'Please enter a username';
const SHORT_PASSWORD = 'Password must have minimum 8 characters.';

const mine = newQuestionDetail({ title: 'Mine', author: ishaAsAuthor });
const answer = newAnswer();
const account = newStudent({
  _id: isha._id,
  userName: isha.userName,
  email: null,
  phone: null,
  favouriteSubjects: [],
  roles: [],
});

function open(address: string, isSignedIn: boolean) {
  const api = fakeApi({
    ...spaceAnswers({ questions: [mine], answers: [answer] }),
    getStudent: () => (isSignedIn ? account : null),
    getSpaces: () => [space],
    getLeaderboardScores: () => ({ rank: 1, scores: newScore() }),
    getPaginatedSavedQuestions: () => ({ docs: [], page: 1, totalPages: 1 }),
    checkUserName: ({ userName }) => userName === 'taken',
    createStudent: () => ({ _id: 'newcomer', isRegistered: false }),
    sendOTP: () => ({ flag: 1 }),
    verifyOTP: () => ({ flag: 1, id: 'newcomer', phone: '919000000001', grant: 'a-grant' }),
    getAvatars: () => [],
    getPresignedS3Url: () => ({ url: '/upload/slot', key: 'stored.webp' }),
  });
  const user = userEvent.setup({ delay: null });
  renderApp(address, isSignedIn ? { user: isha, space } : {});
  return { api, user };
}

const press = async (user: UserEvent, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));

/** Replaces the value of the field. */
async function fill(user: UserEvent, label: string | RegExp, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  if (text !== '') await user.type(field, text);
}

async function enterCode(user: UserEvent, code: string) {
  await user.click(await screen.findByLabelText('Digit 1'));
  if (code !== '') await user.keyboard(code);
  await press(user, 'Verify');
}

async function expectRule({ api, user }: ReturnType<typeof open>, { enter, says, unsent }: Rule) {
  await enter(user);
  for (const words of [says].flat()) {
    const [said] = await screen.findAllByText(words);
    expect(said).toBeVisible();
    // Announced to screen readers wherever the focus is.
    expect(said?.closest('[role=alert]')).toBeInTheDocument();
  }
  expect(api.calls(unsent)).toHaveLength(0);
}

/**
 * Renders one form for all its rules, and again if the message of the next rule is still shown: it would prove nothing.
 * @param reach opens the form
 */
function itKeeps(
  address: string,
  isSignedIn: boolean,
  rules: readonly Rule[],
  reach: (user: UserEvent) => Promise<void> = () => Promise.resolve(),
) {
  it.each([{ broken: rules.map(({ rule }) => rule).join(', ') }])(
    'shows the error and sends nothing: $broken',
    async () => {
      let opened: ReturnType<typeof open> | undefined;
      for (const rule of rules) {
        if (opened === undefined || [rule.says].flat().some((words) => screen.queryByText(words) !== null)) {
          cleanup();
          localStorage.clear();
          opened = open(address, isSignedIn);
          await reach(opened.user);
        }
        await expectRule(opened, rule);
      }
    },
  );
}

beforeEach(() => localStorage.clear());

describe('the login', () => {
  const logIn = (userName: string, password: string) => async (user: UserEvent) => {
    await fill(user, 'Username', userName);
    await fill(user, 'Password', password);
    await press(user, 'Log In');
  };
  itKeeps('/login', false, [
    {
      rule: 'needs a username',
      enter: logIn('', 'correct horse'),
      says: 'Please enter your username',
      unsent: 'Login',
    },
    {
      rule: 'needs a password',
      enter: logIn('isha_p', ''),
      says: 'Please enter your password',
      unsent: 'Login',
    },
  ]);
});

describe('sign-up by email', () => {
  const register = (email: string, userName: string, password: string) => async (user: UserEvent) => {
    await fill(user, 'Email', email);
    await fill(user, /^User ?name/i, userName);
    await fill(user, 'Password', password);
    await press(user, 'Register');
  };
  const unsent = 'RegisterByEmail';
  itKeeps('/register', false, [
    {
      rule: 'a registration needs an email',
      enter: register('', 'isha_p', 'correct horse'),
      says: 'Please enter a valid email.',
      unsent,
    },
    {
      rule: 'a registration needs a username',
      enter: register('i@e.org', '', 'correct horse'),
      says: 'Please enter your username',
      unsent,
    },
    {
      rule: 'a username has only letters, digits and _',
      enter: register('i@e.org', 'two words', 'correct horse'),
      says: BAD_USER_NAME,
      unsent,
    },
    {
      rule: 'a registration needs a password',
      enter: register('i@e.org', 'isha_p', ''),
      says: 'Please enter your password',
      unsent,
    },
    {
      rule: 'a password has at least eight characters',
      enter: register('i@e.org', 'isha_p', 'seven77'),
      says: SHORT_PASSWORD,
      unsent,
    },
    {
      rule: 'the email is well-formed',
      enter: register('isha@nowhere', 'isha_p', 'correct horse'),
      says: 'Please enter a valid email.',
      unsent,
    },
  ]);

  const reset = (email: string) => async (user: UserEvent) => {
    await fill(user, 'Email', email);
    await press(user, 'Reset password');
  };
  itKeeps(
    '/forgot-password',
    false,
    ['', 'isha'].map((email) => ({
      rule: `a password reset for “${email}” needs an email`,
      enter: reset(email),
      says: 'Please enter a valid email.',
      unsent: 'ForgotPassword',
    })),
  );

  const setNew = (password: string, confirmation: string) => async (user: UserEvent) => {
    await fill(user, 'New password', password);
    await fill(user, 'Confirm password', confirmation);
    await press(user, 'Set new password');
  };
  itKeeps(`/forgot-password#${'t'.repeat(43)}`, false, newPasswordRules(setNew, 'ResetPassword'));
});

function newPasswordRules(
  enter: (password: string, confirmation: string) => (user: UserEvent) => Promise<void>,
  unsent: string,
): Rule[] {
  return [
    { rule: 'needs a password', enter: enter('', 'correct horse'), says: 'Please enter a password', unsent },
    {
      rule: 'needs the confirmation',
      enter: enter('correct horse', ''),
      says: 'Please confirm your password',
      unsent,
    },
    {
      rule: 'needs a matching confirmation',
      enter: enter('correct horse', 'correct'),
      says: 'Passwords do not match',
      unsent,
    },
    { rule: 'needs eight characters', enter: enter('seven77', 'seven77'), says: SHORT_PASSWORD, unsent },
  ];
}

describe('sign-up by phone', () => {
  const toPhone = (user: UserEvent) => press(user, 'Sign Up');
  const phone = (digits: string) => async (user: UserEvent) => {
    await fill(user, 'Mobile number', digits);
    await press(user, 'Get OTP');
  };
  const toCode = async (user: UserEvent) => {
    await toPhone(user);
    await phone('9000000001')(user);
  };
  const code = (digits: string) => async (user: UserEvent) => enterCode(user, digits);
  const toProfile = async (user: UserEvent) => {
    await toCode(user);
    await code('4711')(user);
    await press(user, 'Done');
  };
  const profile = (userName: string, password: string) => async (user: UserEvent) => {
    await fill(user, /User Name/, userName);
    await fill(user, /^Password \*$/, password);
    await press(user, "Let's Get Started");
  };
  const phoneRules = [
    { rule: 'needs a mobile number', enter: phone(''), says: 'Empty input!', unsent: 'SendOtp' },
    { rule: 'needs ten digits', enter: phone('987654321'), says: 'Invalid mobile number', unsent: 'SendOtp' },
    { rule: 'accepts only digits', enter: phone('abc'), says: 'Empty input!', unsent: 'SendOtp' },
  ];
  itKeeps('/login', false, phoneRules, toPhone);
  const codeRules = [
    { rule: 'needs the code', enter: code(''), says: 'Empty input!', unsent: 'VerifyOtp' },
    { rule: 'needs all four digits', enter: code('471'), says: 'Invalid OTP!', unsent: 'VerifyOtp' },
  ];
  itKeeps('/login', false, codeRules, toCode);
  const unsent = 'RegisterStudent';
  const profileRules = [
    {
      rule: 'needs a username without spaces',
      enter: profile('two words', 'correct horse'),
      says: BAD_USER_NAME,
      unsent,
    },
    {
      rule: 'needs a username that is not taken',
      enter: profile('taken', 'correct horse'),
      says: 'Username already exist!',
      unsent,
    },
    {
      rule: 'needs a password of eight characters',
      enter: profile('isha_p', 'seven77'),
      says: SHORT_PASSWORD,
      unsent,
    },
  ];
  itKeeps('/login', false, profileRules, toProfile);
});

describe('password reset by phone', () => {
  const toPhone = (user: UserEvent) => press(user, 'Forgot your password');
  const phone = (digits: string) => async (user: UserEvent) => {
    await fill(user, 'Mobile number', digits);
    await press(user, 'Get OTP');
  };
  const toCode = async (user: UserEvent) => {
    await toPhone(user);
    await phone('9000000001')(user);
  };
  const code = (digits: string) => async (user: UserEvent) => enterCode(user, digits);
  const toNew = async (user: UserEvent) => {
    await toCode(user);
    await code('4711')(user);
  };
  const setNew = (password: string, confirmation: string) => async (user: UserEvent) => {
    await screen.findByRole('dialog', { name: 'Set new password' });
    await fill(user, 'New password', password);
    await fill(user, 'Confirm password', confirmation);
    await press(user, 'Set new password');
  };
  const phoneRules = ['', '987654321'].map((digits) => ({
    rule: `“${digits}” is not a mobile number`,
    enter: phone(digits),
    says: 'Invalid mobile number',
    unsent: 'SendOtp',
  }));
  itKeeps('/login', false, phoneRules, toPhone);
  const codeRules = ['', '471'].map((digits) => ({
    rule: `“${digits}” is not a code`,
    enter: code(digits),
    says: 'Invalid OTP. Please enter valid OTP.',
    unsent: 'VerifyOtp',
  }));
  itKeeps('/login', false, codeRules, toCode);
  itKeeps('/login', false, newPasswordRules(setNew, 'ChangePassword'), toNew);
});

describe('username', () => {
  const inProfile = (userName: string) => async (user: UserEvent) => {
    await fill(user, /User Name/, userName);
    await press(user, 'Submit');
  };
  const inSettings = (userName: string) => async (user: UserEvent) => {
    await fill(user, 'User Name', userName);
    await press(user, 'Change username');
  };
  const rules = (enter: typeof inProfile, unsent: string): Rule[] => [
    { rule: 'is required', enter: enter(''), says: EMPTY_USER_NAME, unsent },
    { rule: 'has no spaces', enter: enter('two words'), says: BAD_USER_NAME, unsent },
    { rule: 'is not taken', enter: enter('taken'), says: 'Username already exist!', unsent },
    { rule: 'has no special characters', enter: enter('isha!'), says: BAD_USER_NAME, unsent },
  ];
  const toProfile = (user: UserEvent) => press(user, 'Edit Profile');
  describe('in the profile', () => itKeeps('/profile', true, rules(inProfile, 'UpdateProfile'), toProfile));
  describe('in the settings', () => itKeeps('/setting', true, rules(inSettings, 'RenameStudent')));
});

describe('a password change', () => {
  const change = (password: string, confirmation: string) => async (user: UserEvent) => {
    await fill(user, 'Old password', 'the old one');
    await fill(user, 'New password', password);
    await fill(user, 'Confirm password', confirmation);
    await press(user, 'Change Password');
  };
  const unsent = 'ReplacePassword';
  itKeeps('/setting?tab=password', true, [
    { rule: 'needs both', enter: change('', ''), says: 'Please enter valid password.', unsent },
    {
      rule: 'needs the password',
      enter: change('', 'correct horse'),
      says: 'Please enter password.',
      unsent,
    },
    {
      rule: 'needs the confirmation',
      enter: change('correct horse', ''),
      says: 'Please enter confirm password.',
      unsent,
    },
    { rule: 'needs eight characters', enter: change('seven77', 'seven77'), says: SHORT_PASSWORD, unsent },
    {
      rule: 'needs a matching confirmation',
      enter: change('correct horse', 'correct'),
      says: 'Password & confirm password does not match.',
      unsent,
    },
  ]);
});

describe('a question', () => {
  const ask = (text: string) => async (user: UserEvent) => {
    const title = await screen.findByRole('textbox', { name: /Title/ });
    await user.clear(title);
    if (text !== '') await user.type(title, text);
    await press(user, 'Submit');
  };
  const unsent = 'AskQuestion';
  const rules = [
    { rule: 'needs a title', enter: ask(''), says: 'Please add question title.', unsent },
    {
      rule: 'needs a subject and a topic',
      enter: ask('Why?'),
      says: ['Please select a subject', 'Please select or create a topic'],
      unsent,
    },
    {
      rule: 'needs a title that is not blank',
      enter: ask('  '),
      says: 'Please add question title.',
      unsent,
    },
  ];
  itKeeps('/ask', true, rules);
  itKeeps('/ask', true, [
    { rule: 'has at most ten images', enter: addElevenImages, says: 'Allow maximum 10 images.', unsent },
  ]);

  itKeeps(`/singleQuestion/${mine._id}/home`, true, [
    {
      rule: 'needs a title when edited',
      enter: async (user) => {
        await press(user, 'More actions for this question');
        await user.click(await screen.findByRole('menuitem', { name: 'Edit' }));
        await user.clear(await screen.findByRole('textbox', { name: /Title/ }));
        await press(user, 'Submit');
      },
      says: 'Please add question title.',
      unsent: 'EditQuestion',
    },
  ]);
});

async function addElevenImages(user: UserEvent) {
  URL.createObjectURL = () => `blob:${Math.random()}`;
  URL.revokeObjectURL = () => undefined;
  const files = Array.from({ length: 11 }, (_, at) => new File(['x'], `${at}.png`, { type: 'image/png' }));
  const form = await screen.findByRole('form');
  const input = await waitFor(() => {
    const found = form.querySelector<HTMLInputElement>('input[type="file"]');
    if (!found) throw new Error('There is no file input');
    return found;
  });
  await user.upload(input, files);
  expect(await within(form).findAllByRole('img')).toHaveLength(10);
}

describe('answers and comments', () => {
  const comment = (name: RegExp) => async (user: UserEvent) => {
    const section = within(await screen.findByRole('region', { name }));
    await user.click(section.getByRole('button', { name: 'Send comment' }));
  };
  itKeeps(`/singleQuestion/${mine._id}/home`, true, [
    {
      rule: 'an answer needs text',
      enter: async (user) => {
        await press(user, 'Add Your Answer');
        await press(user, 'Submit');
      },
      says: 'Please add your answer',
      unsent: 'AddAnswer',
    },
    {
      rule: 'an answer has at most ten images',
      enter: async (user) => {
        await press(user, 'Add Your Answer');
        await addElevenImages(user);
      },
      says: 'Allow maximum 10 images.',
      unsent: 'AddAnswer',
    },
    {
      rule: 'a comment on a question needs text',
      enter: comment(/^Comments on the question/),
      says: 'Comment should not be empty!',
      unsent: 'AddQuestionComment',
    },
    {
      rule: 'a comment on an answer needs text',
      enter: comment(/answer by/),
      says: 'Comment should not be empty!',
      unsent: 'AddAnswerComment',
    },
  ]);
});

it('requires a reason for a report', async () => {
  const { api, user } = open(`/singleQuestion/${mine._id}/home`, true);
  await press(user, /^More actions for the answer by/);
  await user.click(await screen.findByRole('menuitem', { name: 'Report' }));
  await screen.findByRole('dialog', { name: 'Why are you reporting this post' });
  expect(screen.getAllByRole('radio')).toHaveLength(9);
  expect(screen.getByRole('button', { name: 'Submit' })).toBeDisabled();
  expect(api.calls('ReportPost')).toHaveLength(0);
});

it('sends no request for an empty search', async () => {
  const { api, user } = open('/search', true);
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), '   ');
  await new Promise((resolve) => setTimeout(resolve, 2 * timings.suggestionDebounce));
  expect(screen.getByText('What are you looking for?')).toBeVisible();
  expect(api.calls('SearchQuestions')).toHaveLength(0);
});
