import { VisuallyHidden } from '@mantine/core';
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import classes from './header.module.css';

/** Go to Spaces in the header of a narrow window, as the name of the current space. No arrow: a question has its own way back beneath it. */
export function SpacesLink({ space, isShort }: { space: string; isShort: boolean }) {
  const { t } = useTranslation('frame');
  return (
    <Link to={paths.spaces} className={classes.space}>
      <IconLayoutGrid size={20} stroke={1.75} aria-hidden />
      <VisuallyHidden>{t('menu.goToSpaces')}: </VisuallyHidden>
      {isShort ? (
        <VisuallyHidden>{space}</VisuallyHidden>
      ) : (
        <span className={classes.spaceName}>{space}</span>
      )}
    </Link>
  );
}
