import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import type { SpaceCardFragment } from '../../generated/graphql';

/** Tells the student of each request that was accepted, and each consent that was given, while the spaces are on the screen. */
export function useAcceptance(spaces: readonly SpaceCardFragment[] | undefined): void {
  const { t } = useTranslation(['spaces', 'consent']);
  const waiting = useRef<ReadonlySet<string>>(new Set());
  const asking = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (!spaces) return;
    for (const { _id, name, joined, consent } of spaces) {
      if (joined && waiting.current.has(_id)) toast.success(t('entry.accepted', { name }));
      if (!joined && consent?.guardian === 'GIVEN' && asking.current.has(_id))
        toast.success(t('consent:given', { name }));
    }
    asking.current = new Set(
      spaces.filter(({ consent }) => consent?.guardian === 'ASKED').map(({ _id }) => _id),
    );
    waiting.current = new Set(spaces.filter(({ request }) => request === 'OPEN').map(({ _id }) => _id));
  }, [spaces, t]);
}
