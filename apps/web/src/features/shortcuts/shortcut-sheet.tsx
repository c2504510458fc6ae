import { Kbd, Modal, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFocusReturn } from '../../lib/browser/focus';
import {
  alternativeKeys,
  shortcutGroups,
  type ShortcutId,
  shortcuts,
  setShortcutsOn,
  useShortcutsOn,
} from './shortcut-list';
import { isHandled } from './use-shortcuts';
import classes from './shortcut-sheet.module.css';

/** Lists all shortcuts, with a switch to turn them off. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shortcuts');
  // Texts and keys for moderators are loaded with their area.
  const { t: ofModerators } = useTranslation('moderation', { keyPrefix: 'keys' });
  const areOn = useShortcutsOn();
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={t('title')} size="36rem">
      <Switch
        label={t('switch')}
        description={t('switchHint')}
        checked={areOn}
        onChange={({ currentTarget }) => setShortcutsOn(currentTarget.checked)}
      />
      <div className={classes.groups} data-off={!areOn || undefined}>
        {shortcutGroups.filter(isOnThePage).map((group) => (
          <section key={group} aria-labelledby={`shortcuts-${group}`}>
            <h3 id={`shortcuts-${group}`} className={classes.heading}>
              {group === 'moderation' ? ofModerators('group') : t(`groups.${group}`)}
            </h3>
            <dl className={classes.list}>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map(({ id, keys, group: of }) => (
                  <div key={id} className={classes.row}>
                    <dt>{of === 'moderation' ? ofModerators(id) : t(`actions.${id}`)}</dt>
                    <dd className={classes.keys}>
                      <Keys id={id} keys={keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function isOnThePage(group: (typeof shortcutGroups)[number]): boolean {
  return (
    group !== 'moderation' || shortcuts.some((shortcut) => shortcut.group === group && isHandled(shortcut.id))
  );
}

function Keys({ id, keys: [first, second] }: { id: ShortcutId; keys: readonly string[] }) {
  const { t } = useTranslation('shortcuts');
  const alternative = alternativeKeys[id];
  return (
    <>
      <Kbd>{first === 'Escape' ? 'Esc' : first}</Kbd>
      {second !== undefined && (
        <>
          <span>{t('then')}</span>
          <Kbd>{second}</Kbd>
        </>
      )}
      {alternative !== undefined && (
        <>
          <span>{t('or')}</span>
          <Kbd>{alternative}</Kbd>
        </>
      )}
    </>
  );
}
