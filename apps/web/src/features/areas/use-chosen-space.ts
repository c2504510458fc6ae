import { useSearchParams } from 'react-router-dom';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useModeratedSpaces } from './use-moderated-spaces';

/**
 * The space that the address names; without one, that in which the caller just was, or else the first that the caller
 * moderates. Undefined until it is known, or where there is none.
 */
export function useChosenSpace() {
  const [search, setSearch] = useSearchParams();
  const current = useCurrentSpace()?._id;
  const { spaces, error, refetch } = useModeratedSpaces();
  const standard = spaces?.find(({ _id }) => _id === current) ?? spaces?.[0];
  return {
    spaces,
    chosen: search.get('space') || standard?._id,
    /** What the address says beside it was about the former space. */
    choose: (space: string) => setSearch({ space }, { replace: true }),
    error,
    refetch,
  };
}
