import { CloseButton, Kbd, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { paths } from '../../app/paths';
import { useSearchText } from '../search/use-search-text';
import { useAreShortcutsOn } from '../shortcuts/shortcut-preference';
import { useShortcuts } from '../shortcuts/use-shortcuts';
import classes from './header.module.css';

let isTabbing = false;
window.addEventListener('keydown', ({ key }) => (isTabbing = key === 'Tab'), { capture: true });
window.addEventListener('pointerdown', () => (isTabbing = false), { capture: true });

/**
 * The one box to search with: it leads to the search page and keeps the focus there. Somebody who passes it with the Tab key
 * is not taken along before the first letter.
 */
export function SearchBox() {
  const { t } = useTranslation('search');
  const box = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOnPage = pathname === paths.search;
  // Going back returns to a search result: the box would take the focus from it, and open a phone's keyboard.
  const isBackAtHits = useNavigationType() === NavigationType.Pop && search !== '';
  const { text, change } = useSearchText();
  const hasShortcut = useAreShortcutsOn();
  // It is in view wherever the page is, which the browser does not see for the caret in it.
  const takeFocus = () => box.current?.focus({ preventScroll: true });
  useShortcuts({ search: takeFocus }, { stays: true });
  useEffect(() => {
    if (isOnPage && !isBackAtHits) takeFocus();
    // oxlint-disable-next-line react/exhaustive-deps -- as the page opens, not as its address changes
  }, [isOnPage]);
  return (
    <TextInput
      ref={box}
      className={classes.search}
      type="search"
      role="searchbox"
      aria-label={t('box')}
      placeholder={t('placeholder')}
      value={text}
      maxLength={LONGEST}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      rightSection={
        text === '' ? (
          hasShortcut && <Kbd aria-hidden>/</Kbd>
        ) : (
          <CloseButton size="sm" aria-label={t('clearText')} onClick={() => change('')} />
        )
      }
      onFocus={() => {
        if (!isOnPage && !isTabbing) void navigate(paths.search);
      }}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

/** Longer than any question's title; what is beyond helps no search. */
const LONGEST = 200;
