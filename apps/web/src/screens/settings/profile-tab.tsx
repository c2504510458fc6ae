import { Stack } from '@mantine/core';
import { AccountCard } from './account-card';
import { ContactsCard } from './contacts-card';
import { ProfileForm } from './profile-form';
import type { OwnAccount, OwnSpace } from './settings-screen';

interface ProfileTabProps {
  account: OwnAccount;
  spaces: readonly OwnSpace[];
}

export function ProfileTab({ account, spaces }: ProfileTabProps) {
  return (
    <Stack gap="lg">
      <ProfileForm
        account={account}
        schools={spaces.filter(({ joined }) => joined).map(({ name }) => name)}
      />
      <AccountCard account={account} />
      <ContactsCard account={account} />
    </Stack>
  );
}
