import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useAuthUser } from '../../lib/auth-storage';
import { continueInBrowser } from '../../lib/browser/device';
import { PersonLink } from './person-link';

/** A member acts, a visitor is led to the login by every action, a reader (signed in, not of this space) only reads. */
type ParticipationKind = 'member' | 'visitor' | 'reader';

interface Participation {
  kind: ParticipationKind;
  /** The question's. */
  space: string;
  studentId: string | undefined;
  /** Does it, or leads to the login and back. */
  act: (action: () => void) => void;
}

const ParticipationContext = createContext<Participation | null>(null);

interface ParticipationProviderProps {
  isAuthorizedToInteract: boolean;
  space: string;
  children: ReactNode;
}

/** Says to everything inside a question what its reader may do with it. */
export function ParticipationProvider({
  isAuthorizedToInteract,
  space,
  children,
}: ParticipationProviderProps) {
  const studentId = useAuthUser()?._id;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const participation = useMemo((): Participation => {
    const kind = studentId === undefined ? 'visitor' : isAuthorizedToInteract ? 'member' : 'reader';
    const toLogin = () => {
      continueInBrowser();
      void navigate(paths.login, { state: { from: pathname } });
    };
    const act = (action: () => void) =>
      kind === 'member' ? action() : kind === 'visitor' ? toLogin() : undefined;
    return { kind, space, studentId, act };
  }, [studentId, isAuthorizedToInteract, space, navigate, pathname]);
  return <ParticipationContext.Provider value={participation}>{children}</ParticipationContext.Provider>;
}

export function useParticipation(): Participation {
  const participation = useContext(ParticipationContext);
  if (!participation) throw new Error('useParticipation needs a ParticipationProvider above it');
  return participation;
}

interface ParticipantLinkProps {
  person: { readonly _id: string; readonly userName: string };
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** The name of somebody in a question: a way to their page for members, who alone may see it. */
export function ParticipantLink({ person, className, title, children }: ParticipantLinkProps) {
  const { kind, space } = useParticipation();
  if (kind !== 'member') {
    return (
      <span className={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <PersonLink person={person} space={space} className={className} {...(title !== undefined && { title })}>
      {children}
    </PersonLink>
  );
}
