import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Student } from '@nimo/domain';
import type { MailSender } from '../../adapters/mail/mail-sender.js';
import { MAIL } from '../../adapters/tokens.js';
import { calledFrom, NOWHERE } from '../../platform/web/whence.js';
import { Accounts } from '../students/accounts.js';
import { AccountMailJobs, type AccountMailRequest } from './account-mail-jobs.js';
import {
  alreadyRegisteredLetter,
  confirmationLetter,
  newPasswordLetter,
  resetLetter,
  secondFactorLetter,
} from './letters.js';
import { MailedLinks } from './mailed-links.js';

type RegistrationRequest = Extract<AccountMailRequest, { kind: 'registration' }>;
type FactorRequest = Extract<AccountMailRequest, { kind: 'second-factor' }>;
type PasswordChanged = Extract<AccountMailRequest, { kind: 'password-changed' }>;
type ResetRequest = Extract<AccountMailRequest, { kind: 'reset' }>;

/** The worker's half: looks whose address it is and writes the mail that fits. */
@Injectable()
export class AccountMail {
  constructor(
    private readonly jobs: AccountMailJobs,
    private readonly accounts: Accounts,
    private readonly links: MailedLinks,
    @Inject(MAIL) private readonly mail: MailSender,
  ) {}

  async work(): Promise<void> {
    await this.jobs.work((request) => this.answer(request));
  }

  private async answer(request: AccountMailRequest): Promise<void> {
    if (request.kind === 'second-factor') return this.tellOfFactor(request);
    if (request.kind === 'password-changed') return this.tellOfNewPassword(request);
    const student = await this.accounts.find({ kind: 'email', value: request.email });
    switch (request.kind) {
      case 'registration':
        return this.answerRegistration(request, student);
      case 'reset':
        return this.answerReset(request, student);
    }
  }

  private async answerRegistration(
    { email, userName, origin }: RegistrationRequest,
    student: Student | undefined,
  ): Promise<void> {
    if (student?.profile) {
      await this.mail.send({
        to: student.email ?? email,
        ...alreadyRegisteredLetter(origin, student.profile.userName),
      });
      return;
    }
    // Somebody who came by another sign-in and did not finish goes on as the same student.
    const studentId = student?.studentId ?? randomUUID();
    const token = await this.links.make('CONFIRM_EMAIL', {
      studentId,
      content: { email, userName },
    });
    await this.mail.send({ to: email, ...confirmationLetter(origin, token, userName) });
  }

  private async tellOfFactor({ studentId, news }: FactorRequest): Promise<void> {
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    await this.mail.send({ to: student.email, ...secondFactorLetter(student.profile.userName, news) });
  }

  /** So that whoever lost the phone, or its number, learns what was done with it. */
  private async tellOfNewPassword({ studentId, origin }: PasswordChanged): Promise<void> {
    const student = await this.accounts.findById(studentId);
    if (!student?.profile || student.email === null || !student.emailConfirmed) return;
    await this.mail.send({ to: student.email, ...newPasswordLetter(origin, student.profile.userName) });
  }

  /** To the address as it was proved, not as somebody typed it now. */
  private async answerReset(
    { origin, whence = NOWHERE }: ResetRequest,
    student: Student | undefined,
  ): Promise<void> {
    if (!student?.profile || !student.emailConfirmed || student.email === null) return;
    const { studentId, profile, email } = student;
    const token = await calledFrom(whence, () =>
      this.links.make('RESET_PASSWORD', { studentId, content: {} }),
    );
    await this.mail.send({ to: email, ...resetLetter(origin, token, profile.userName) });
  }
}
