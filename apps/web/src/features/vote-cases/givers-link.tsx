import { Anchor, type AnchorProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';

interface GiversLinkProps extends AnchorProps {
  space: string;
  author: string;
}

/** Leads moderators to everybody who votes for an author. */
export function GiversLink({ space, author, ...anchor }: GiversLinkProps) {
  const { t } = useTranslation('patterns');
  return (
    <Anchor component={Link} to={paths.voteGivers({ space, author })} {...anchor}>
      {t('givers.link')}
    </Anchor>
  );
}
