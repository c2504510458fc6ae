import { useMutation, useQuery } from '@apollo/client/react';
import { Alert, Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ReasonDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import {
  SkipEventInAllProjectionsDocument,
  StoppedEventsDocument,
  type StoppedEventsQuery,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { paths } from '../../../lib/paths';
import { useFormatters } from './parts';
import classes from './projections.module.css';

type StoppedEvent = StoppedEventsQuery['getStoppedEvents'][number];

/** Events at which projections are stopped, each with its data and one button to skip it in all of them. */
export function StoppedEvents() {
  const { data, refetch } = useQuery(StoppedEventsDocument, { fetchPolicy: 'cache-and-network' });
  return data?.getStoppedEvents.map((event) => (
    <StoppedEventNotice key={event.eventId} event={event} onSkipped={() => void refetch()} />
  ));
}

function StoppedEventNotice({ event, onSkipped }: { event: StoppedEvent; onSkipped: () => void }) {
  const { t } = useTranslation('projections');
  const { whole } = useFormatters();
  const [isSkipping, setSkipping] = useState(false);
  const [skip] = useMutation(SkipEventInAllProjectionsDocument);
  const { eventId, eventType, ordinal, projections } = event;
  const submit = async (reason: string) => {
    try {
      await skip({ variables: { eventId, reason } });
    } catch (error) {
      toast.error(errorText(error));
      return;
    }
    toast.success(t('done.skip'));
    setSkipping(false);
    onSkipped();
  };
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={t('stoppedEvent', { ordinal: whole(ordinal), eventType })}
    >
      <Text size="sm">{t('stoppedProjections', { names: projections.join(', ') })}</Text>
      <EventData event={event} />
      <Group gap="sm" mt="sm">
        <Button size="xs" variant="default" onClick={() => setSkipping(true)}>
          {t('action.skipEverywhere')}
        </Button>
        <Anchor component={Link} to={paths.logEvent(ordinal)} size="sm">
          {t('showEvent')}
        </Anchor>
      </Group>
      {isSkipping && (
        <ReasonDialog
          title={t('action.skipEverywhere')}
          text={t('explanation.skipEverywhere', { names: projections.join(', ') })}
          label={t('reason')}
          submitLabel={t('action.skip')}
          cancelLabel={t('close')}
          danger
          onSubmit={submit}
          onClose={() => setSkipping(false)}
        >
          <EventData event={event} />
        </ReasonDialog>
      )}
    </Alert>
  );
}

function EventData({ event: { eventId, data } }: { event: StoppedEvent }) {
  const { t } = useTranslation('projections');
  if (data === null) return <Text size="sm">{t('eventMissing')}</Text>;
  return (
    <Table.ScrollContainer minWidth={260}>
      <Table aria-label={t('eventData')}>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">{t('eventId')}</Table.Th>
            <Table.Td className={classes.hash}>{eventId}</Table.Td>
          </Table.Tr>
          {data.map(({ name, value, isProtected }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className={classes.hash}>
                {isProtected ? t('protectedValue', { size: value }) : value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
