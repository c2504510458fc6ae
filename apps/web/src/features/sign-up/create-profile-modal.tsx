import { zodResolver } from '@hookform/resolvers/zod';
import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { saving } from '../../components/dialogs';
import { toast } from '../../components/toast';
import type { RegisterStudentMutation, RegisterStudentMutationVariables } from '../../generated/graphql';
import { errorText } from '../../lib/api/errors';
import { postGraphql } from '../../lib/api/graphql-fetch';
import { isUserNameTaken, type VerifiedPhone } from '../credentials/account-calls';
import { minimumPasswordLength, NewPasswordField } from '../credentials/new-password-field';
import { TermsLine } from '../credentials/terms-line';
import { isValidUserName } from '../credentials/account-fields';
import {
  type ProfilePicture,
  ProfilePictureField,
  storePicture,
} from '../profile-picture/profile-picture-field';
import classes from './create-profile-modal.module.css';
import registerStudent from './register-student.graphql?call';

/** Credentials of the new account; the password is empty for a provider account. */
export interface NewAccount {
  userName: string;
  password: string;
}

interface CreateProfileModalProps {
  /** The student, and the grant to complete the profile. */
  verified: Pick<VerifiedPhone, 'studentId' | 'grant'>;
  /** False for students who sign in with a provider. */
  withPassword?: boolean;
  onClose: () => void;
  onCreated: (account: NewAccount) => void;
}

function useProfileSchema(withPassword: boolean) {
  const { t } = useTranslation(['auth', 'signUp', 'profile']);
  return z.object({
    firstName: z.string(),
    lastName: z.string(),
    userName: z
      .string()
      .check(
        z.minLength(1, { error: t('profile:edit.userNameRequired'), abort: true }),
        z.refine(isValidUserName, t('profile:edit.userNameInvalid')),
      ),
    password: withPassword
      ? z.string().check(z.minLength(minimumPasswordLength, t('auth:password.tooShort')))
      : z.string(),
    about: z.string(),
  });
}

type ProfileValues = z.infer<ReturnType<typeof useProfileSchema>>;

const empty: ProfileValues = { firstName: '', lastName: '', userName: '', password: '', about: '' };

/** Profile of the new account; submitting it completes the registration. */
export function CreateProfileModal(props: CreateProfileModalProps) {
  const { verified, withPassword = true, onClose, onCreated } = props;
  const { t } = useTranslation(['auth', 'signUp', 'profile']);
  const [picture, setPicture] = useState<ProfilePicture>({ kind: 'none' });
  const form = useForm<ProfileValues>({
    resolver: zodResolver(useProfileSchema(withPassword)),
    defaultValues: empty,
  });

  const send = async ({ about, ...values }: ProfileValues) => {
    if (await isUserNameTaken(values.userName)) {
      form.setError('userName', { message: t('profile:edit.userNameTaken') }, { shouldFocus: true });
      return;
    }
    const realProfilePicUrl = await storePicture(picture, verified.grant);
    await postGraphql<RegisterStudentMutation, RegisterStudentMutationVariables>(registerStudent, {
      ...values,
      profileDesc: about,
      realProfilePicUrl,
      id: verified.studentId,
      grant: verified.grant,
    });
    toast.success(t('signUp:completed'));
    onCreated(values);
  };
  const register = form.handleSubmit((values) =>
    saving(() => send(values), form.setError, ['userName']).catch(
      (error: unknown) => void toast.error(errorText(error)),
    ),
  );

  return (
    <Modal.Stack>
      <Modal
        opened
        onClose={onClose}
        stackId="profile"
        fullScreen
        radius={0}
        title={t('signUp:profileTitle')}
      >
        <form className={classes.content} onSubmit={(event) => void register(event)} noValidate>
          <Stack gap="md">
            <Text c="dimmed">{t('signUp:profileLead')}</Text>
            <ProfilePictureField value={picture} onChange={setPicture} />
            <ProfileFields form={form} withPassword={withPassword} />
            <Button type="submit" size="md" loading={form.formState.isSubmitting}>
              {t('signUp:submit')}
            </Button>
            <TermsLine />
          </Stack>
        </form>
      </Modal>
    </Modal.Stack>
  );
}

interface ProfileFieldsProps {
  form: UseFormReturn<ProfileValues>;
  withPassword: boolean;
}

function ProfileFields({ form, withPassword }: ProfileFieldsProps) {
  const { t } = useTranslation(['auth', 'signUp']);
  const { register, control, formState } = form;
  const password = useWatch({ control, name: 'password' });
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={t('signUp:firstName')}
          autoComplete="given-name"
          data-autofocus
          {...register('firstName')}
        />
        <TextInput label={t('signUp:lastName')} autoComplete="family-name" {...register('lastName')} />
      </Group>
      <TextInput
        label={t('signUp:userName')}
        autoComplete="username"
        withAsterisk
        error={formState.errors.userName?.message}
        {...register('userName')}
      />
      {withPassword && (
        <NewPasswordField
          label={t('signUp:password')}
          withAsterisk
          current={password}
          error={formState.errors.password?.message}
          {...register('password')}
        />
      )}
      <Textarea label={t('signUp:about')} autosize minRows={3} maxRows={8} {...register('about')} />
    </>
  );
}
