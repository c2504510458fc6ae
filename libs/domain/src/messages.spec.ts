import { describe, expect, it } from '@jest/globals';
import { DomainError } from './errors.js';
import { ERROR_CATALOGUE, messageOf, type DomainErrorCode } from './messages.js';

describe('error catalogue', () => {
  it.each([
    ['QUESTION_TITLE_REQUIRED', 'Please add question title.'],
    ['SUBJECT_REQUIRED', 'Please select a subject'],
    ['TOPIC_REQUIRED', 'Please select or create a topic'],
    ['ANSWER_BODY_REQUIRED', 'Please add your answer'],
    ['COMMENT_EMPTY', 'Comment should not be empty!'],
    ['TOO_MANY_IMAGES', 'Allow maximum 10 images.'],
    [
      'USERNAME_INVALID',
      'Username should contain not contain any spaces or special characters except underscore!',
    ],
    ['USERNAME_TAKEN', 'Username already exist!'],
    ['USER_EXISTS', 'User already exist!'],
    ['EMAIL_TAKEN', 'User already exist!'],
    ['OTP_NOT_MATCHED', 'OTP not matched!'],
    ['OTP_INVALID', 'Invalid OTP. Please enter valid OTP.'],
    ['OTP_MALFORMED', 'Invalid OTP!'],
    ['OTP_REQUIRED', 'Empty input!'],
    ['PHONE_REQUIRED', 'Empty input!'],
    ['PHONE_INVALID', 'Invalid mobile number'],
    ['TRY_AGAIN_LATER', 'Something went wrong! Please try again after 10 minutes.'],
    ['PASSWORD_REQUIRED', 'Please enter password.'],
    ['NEW_PASSWORD_REQUIRED', 'Please enter a password'],
    ['PASSWORD_TOO_SHORT', 'Password must have minimum 8 characters.'],
    ['OLD_PASSWORD_WRONG', 'Old password is not correct.'],
    ['OWN_POST_VOTE', 'You cannot vote on your own post.'],
    ['QUESTION_NOT_FOUND', 'No Question found with this id!'],
  ] as const)('%s reads %j', (code, text) => expect(new DomainError(code).message).toBe(text));
  it('names the unknown phone', () =>
    expect(new DomainError('PHONE_UNKNOWN', { phone: '919876543210' }).message).toBe(
      'Student with phone: 919876543210 does not exist in DB.',
    ));
  it('inserts parameters literally', () =>
    expect(messageOf('PHONE_UNKNOWN', { phone: '$&' })).toBe('Student with phone: $& does not exist in DB.'));
  it('names the field of every validation error', () => {
    const withoutField = (Object.keys(ERROR_CATALOGUE) as DomainErrorCode[]).filter((code) => {
      const { category, field } = new DomainError(code);
      return category === 'VALIDATION' && field === undefined;
    });
    expect(withoutField).toEqual([]);
  });
});
