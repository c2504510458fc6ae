import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import {
  CancelRebuildDocument,
  CancelVerificationDocument,
  RebuildProjectionsDocument,
  RetryProjectionDocument,
  SkipProjectionEventDocument,
  SwitchProjectionDocument,
  VerifyProjectionDocument,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';

export type ProjectionActName =
  'rebuild' | 'hold' | 'cancel' | 'switch' | 'verify' | 'cancelVerification' | 'retry' | 'skip';

/** What can be done to one projection; each tells when the api took it. */
export function useProjectionActs(name: string) {
  const { t } = useTranslation('projections');
  const onError = (cause: unknown) => toast.error(errorText(cause));
  const says = (act: ProjectionActName) => ({ onError, onCompleted: () => toast.success(t(`done.${act}`)) });
  const [rebuild, rebuilding] = useMutation(RebuildProjectionsDocument, { onError });
  const [cancel, cancelling] = useMutation(CancelRebuildDocument, says('cancel'));
  const [switchTo, switching] = useMutation(SwitchProjectionDocument, says('switch'));
  const [verify, verifying] = useMutation(VerifyProjectionDocument, says('verify'));
  const [cancelVerification, ending] = useMutation(CancelVerificationDocument, says('cancelVerification'));
  const [retry, retrying] = useMutation(RetryProjectionDocument, says('retry'));
  const [skip, skipping] = useMutation(SkipProjectionEventDocument, says('skip'));
  const all = [rebuilding, cancelling, switching, verifying, ending, retrying, skipping];
  return {
    isPending: all.some(({ loading }) => loading),
    rebuild: (hold: boolean) =>
      rebuild({
        variables: { names: [name], hold },
        onCompleted: () => toast.success(t(hold ? 'done.hold' : 'done.rebuild')),
      }),
    cancel: () => cancel({ variables: { name } }),
    switchTo: (generation: number) => switchTo({ variables: { name, generation } }),
    verify: () => verify({ variables: { name } }),
    cancelVerification: () => cancelVerification({ variables: { name } }),
    retry: () => retry({ variables: { name } }),
    skip: (eventId: string, reason: string) => skip({ variables: { name, eventId, reason } }),
  };
}
