import { useMutation, useQuery } from '@apollo/client/react';
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  CreateInvitationDocument,
  GroupProvidersDocument,
  type GroupProvidersQuery,
  type NewInvitation,
} from '../../generated/graphql';
import { FormDialog } from '../../components/dialogs';

const KINDS = ['LINK', 'CODE', 'LIST', 'DOMAIN', 'GROUP'] as const;
type Kind = (typeof KINDS)[number];
const COUNTS: readonly Kind[] = ['LINK', 'CODE'];
const EXPIRES: readonly Kind[] = ['LINK', 'CODE', 'LIST'];

interface NewInvitationDialogProps {
  spaceId: string;
  onClose: () => void;
  onMade: () => void;
}

export function NewInvitationDialog({ spaceId, onClose, onMade }: NewInvitationDialogProps) {
  const { t } = useTranslation('entry');
  const [kind, setKind] = useState<Kind>('LINK');
  const [uses, setUses] = useState<number | string>(30);
  const [days, setDays] = useState<number | string>(7);
  const [contacts, setContacts] = useState('');
  const [domain, setDomain] = useState('');
  const [groupInput, setGroupInput] = useState<GroupInput>({ group: '' });
  const providers = useGroupProviders();
  const [create] = useMutation(CreateInvitationDocument);
  const details = detailsOf(kind, {
    uses: whole(uses),
    days: whole(days),
    contacts,
    domain,
    provider: groupInput.provider ?? providers[0]?._id ?? null,
    group: groupInput.group,
  });
  const submit = async () => {
    await create({ variables: { space: spaceId, details } });
    onMade();
  };
  return (
    <FormDialog
      title={t('newInvitation')}
      submitLabel={t('create')}
      subject={kind}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t('kindLabel')}
        data={KINDS.filter((value) => value !== 'GROUP' || providers.length > 0).map((value) => ({
          value,
          label: t(`kind.${value}`),
        }))}
        allowDeselect={false}
        value={kind}
        onChange={(value) => setKind(KINDS.find((of) => of === value) ?? 'LINK')}
      />
      {COUNTS.includes(kind) && (
        <NumberInput
          label={t('uses')}
          min={1}
          max={1000}
          allowDecimal={false}
          value={uses}
          onChange={setUses}
        />
      )}
      {EXPIRES.includes(kind) && (
        <NumberInput
          label={t('days')}
          min={1}
          max={365}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
      )}
      {kind === 'LIST' && (
        <Textarea
          label={t('contacts')}
          description={t('contactsHelp')}
          autosize
          minRows={5}
          maxRows={12}
          value={contacts}
          onChange={(event) => setContacts(event.currentTarget.value)}
        />
      )}
      {kind === 'DOMAIN' && (
        <TextInput
          label={t('domain')}
          description={t('domainHelp')}
          placeholder="school.example"
          value={domain}
          onChange={(event) => setDomain(event.currentTarget.value)}
        />
      )}
      {kind === 'GROUP' && (
        <GroupFields providers={providers} groupInput={groupInput} onChange={setGroupInput} />
      )}
    </FormDialog>
  );
}

/** Leaves out the fields of other kinds. */
const detailsOf = (
  kind: Kind,
  { uses, days, contacts, domain, provider, group }: Required<Omit<NewInvitation, 'kind'>>,
): NewInvitation => ({
  kind,
  ...(COUNTS.includes(kind) && { uses }),
  ...(EXPIRES.includes(kind) && { days }),
  ...(kind === 'LIST' && { contacts }),
  ...(kind === 'DOMAIN' && { domain }),
  ...(kind === 'GROUP' && { provider, group }),
});

interface GroupInput {
  /** Defaults to the first one. */
  provider?: string;
  group: string;
}
type Providers = GroupProvidersQuery['getSignInProviders'];

/** Enabled login providers. */
const useGroupProviders = (): Providers =>
  useQuery(GroupProvidersDocument).data?.getSignInProviders.filter(({ isEnabled }) => isEnabled) ?? [];

interface GroupFieldsProps {
  providers: Providers;
  groupInput: GroupInput;
  onChange: (groupInput: GroupInput) => void;
}

function GroupFields({ providers, groupInput, onChange }: GroupFieldsProps) {
  const { t } = useTranslation('entry');
  return (
    <>
      {providers.length > 1 && (
        <Select
          label={t('provider')}
          data={providers.map(({ _id, label }) => ({ value: _id, label }))}
          allowDeselect={false}
          value={groupInput.provider ?? providers[0]?._id ?? null}
          onChange={(provider) => provider !== null && onChange({ ...groupInput, provider })}
        />
      )}
      <TextInput
        label={t('group')}
        description={t('groupHelp')}
        maxLength={200}
        value={groupInput.group}
        onChange={({ currentTarget: { value } }) => onChange({ ...groupInput, group: value })}
      />
    </>
  );
}

const whole = (value: number | string): number | null => (typeof value === 'number' ? value : null);
