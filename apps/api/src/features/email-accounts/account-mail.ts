import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Student } from '@nimo/domain';
import type { MailSender } from '../../adapters/mail/mail-sender.js';
import { MAIL } from '../../adapters/tokens.js';
import { withOrigin } from '../../platform/web/client-address.js';
import { Accounts } from '../students/accounts.js';
import { AccountMailJobs, type AccountMailRequest } from './account-mail-jobs.js';
import {
  addressTakenLetter,
  contactChangedLetter,
  newAddressLetter,
  ownContactLetter,
} from './contact-email-templates.js';
import {
  alreadyRegisteredLetter,
  confirmationLetter,
  entryLetter,
  guardianLetter,
  newPasswordLetter,
  resetLetter,
  secondFactorLetter,
} from './email-templates.js';
import { MailedLinks } from './mailed-links.js';

type RegistrationRequest = Extract<AccountMailRequest, { kind: 'registration' }>;
type NewAddress = Extract<AccountMailRequest, { kind: 'new-address' }>;
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
    switch (request.kind) {
      case 'second-factor':
        return this.tellOfFactor(request);
      case 'password-changed':
        return this.tellOfNewPassword(request);
      case 'own-contact':
        return this.mail.send({ to: request.email, ...ownContactLetter(request) });
      case 'contact-changed':
        return this.mail.send({ to: request.email, ...contactChangedLetter(request) });
      case 'entry-answered':
        return this.mail.send({ to: request.email, ...entryLetter(request) });
      case 'guardian':
        return this.mail.send({ to: request.email, ...guardianLetter(request) });
      case 'registration':
        return this.answerRegistration(request, await this.ownerOf(request.email));
      case 'new-address':
        return this.answerNewAddress(request, await this.ownerOf(request.email));
      case 'reset':
        return this.answerReset(request, await this.ownerOf(request.email));
    }
  }

  private ownerOf(email: string): Promise<Student | undefined> {
    return this.accounts.find({ kind: 'email', value: email });
  }

  /** Whose address it is already learns of it, and gets no code. */
  private async answerNewAddress(request: NewAddress, owner: Student | undefined): Promise<void> {
    const letter = owner?.profile ? addressTakenLetter(owner.profile.userName) : newAddressLetter(request);
    await this.mail.send({ to: owner?.profile ? (owner.email ?? request.email) : request.email, ...letter });
  }

  private async answerRegistration(
    { email, userName, origin, registrationId }: RegistrationRequest,
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
      content: { email, userName, registrationId },
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
    { origin, clientOrigin }: ResetRequest,
    student: Student | undefined,
  ): Promise<void> {
    if (!student?.profile || !student.emailConfirmed || student.email === null) return;
    const { studentId, profile, email } = student;
    const token = await withOrigin(clientOrigin, () =>
      this.links.make('RESET_PASSWORD', { studentId, content: {} }),
    );
    await this.mail.send({ to: email, ...resetLetter(origin, token, profile.userName) });
  }
}
