import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { withStaffTexts } from '../../i18n/i18n';
import { lazyPart } from '../../lib/browser/loading';
import { paths } from '../../lib/paths';
import type { AnsweredRequest } from '../entry/entry-answer';
import classes from './notifications.module.css';

// Only moderators load these and their texts.
const EntryAnswer = lazyPart(withStaffTexts(() => import('../entry/entry-answer')));
const RefuseDialog = lazyPart(withStaffTexts(() => import('../entry/refuse-dialog')));

export interface RowActions {
  onClose: () => void;
  /** A request to join was accepted or is no longer open, so its row disappears. */
  onAnswered: () => void;
  onRefuse: (request: AnsweredRequest) => void;
}

/** Buttons that answer a request to join, and a link to all requests. */
export function EntryRequestActions({
  request,
  onClose,
  onAnswered,
  onRefuse,
}: RowActions & { request: AnsweredRequest }) {
  const { t } = useTranslation('notifications');
  return (
    <div className={classes.answers}>
      <div className={classes.answer}>
        <Suspense fallback={null}>
          <EntryAnswer request={request} onAnswered={onAnswered} onRefuse={() => onRefuse(request)} />
        </Suspense>
      </div>
      <Button component={Link} to={paths.entry} variant="subtle" onClick={onClose}>
        {t('allRequests')}
      </Button>
    </div>
  );
}

/**
 * The dialog that declines a request to join. Rendered outside the list, because the popover closes before it opens.
 * @param onRefused after the request was declined, or if it is no longer open
 */
export function useRefusal(onRefused: () => void) {
  const [request, setRequest] = useState<AnsweredRequest>();
  const close = () => setRequest(undefined);
  return {
    isRefusing: request !== undefined,
    refuse: setRequest,
    dialog: request && (
      <Suspense fallback={null}>
        <RefuseDialog
          request={request}
          onClose={close}
          onAnswered={() => {
            close();
            onRefused();
          }}
        />
      </Suspense>
    ),
  };
}
