import { useMutation } from '@apollo/client/react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../components/toast';
import {
  CancelRebuildDocument,
  CancelVerificationDocument,
  RebuildProjectionsDocument,
  RetryProjectionDocument,
  SkipProjectionEventDocument,
  SwitchProjectionDocument,
  VerifyProjectionDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';

export type ProjectionActionName =
  | 'rebuild'
  | 'hold'
  | 'cancel'
  | 'switch'
  | 'verify'
  | 'cancelVerification'
  | 'retry'
  | 'skip';

/** Actions on a projection. Each shows a toast and resolves to whether it succeeded. */
export function useProjectionActions(name: string) {
  const { t } = useTranslation('projections');
  const [rebuild, rebuilding] = useMutation(RebuildProjectionsDocument);
  const [cancel, cancelling] = useMutation(CancelRebuildDocument);
  const [switchTo, switching] = useMutation(SwitchProjectionDocument);
  const [verify, verifying] = useMutation(VerifyProjectionDocument);
  const [cancelVerification, ending] = useMutation(CancelVerificationDocument);
  const [retry, retrying] = useMutation(RetryProjectionDocument);
  const [skip, skipping] = useMutation(SkipProjectionEventDocument);
  const all = [rebuilding, cancelling, switching, verifying, ending, retrying, skipping];
  const withToast = async (action: ProjectionActionName, work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
    } catch (error) {
      toast.error(errorText(error));
      return false;
    }
    toast.success(t(`done.${action}`));
    return true;
  };
  return {
    isPending: all.some(({ loading }) => loading),
    rebuild: (hold: boolean) =>
      withToast(hold ? 'hold' : 'rebuild', rebuild({ variables: { names: [name], hold } })),
    cancel: () => withToast('cancel', cancel({ variables: { name } })),
    switchTo: (generation: number) => withToast('switch', switchTo({ variables: { name, generation } })),
    verify: () => withToast('verify', verify({ variables: { name } })),
    cancelVerification: () => withToast('cancelVerification', cancelVerification({ variables: { name } })),
    retry: () => withToast('retry', retry({ variables: { name } })),
    skip: (eventId: string, reason: string) =>
      withToast('skip', skip({ variables: { name, eventId, reason } })),
  };
}
