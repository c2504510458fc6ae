import { Button, Group, TextInput } from '@mantine/core';
import { useAttrs, useCommands, useCurrentSelection } from '@remirror/react';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { linkAddress } from '../allowed-html';
import type { RichTextExtension } from '../rich-text-extensions';
import { ToolbarPopover } from './toolbar-popover';

function LinkForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const { empty, to } = useCurrentSelection();
  const href = useAttrs<RichTextExtension>().link()?.['href'];
  const [text, setText] = useState(typeof href === 'string' ? href : '');
  const apply = (event: FormEvent) => {
    // The form is in a portal, but React events bubble to the composer's form.
    event.preventDefault();
    event.stopPropagation();
    const address = linkAddress(text);
    if (address === '') commands.removeLink();
    else if (empty && href === undefined) commands.typeLink(address);
    else {
      commands.updateLink({ href: address });
      // Otherwise the next key would replace the selected text.
      if (!empty) commands.selectText(to);
    }
    onDone();
  };
  return (
    <form onSubmit={apply} noValidate>
      <TextInput
        label={t('linkAddress')}
        placeholder="https://"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="sm" gap="xs">
        {href !== undefined && (
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              commands.removeLink();
              onDone();
            }}
          >
            {t('removeLink')}
          </Button>
        )}
        <Button type="submit" size="xs">
          {t('applyLink')}
        </Button>
      </Group>
    </form>
  );
}

export function LinkControl() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const [opened, setOpened] = useState(false);
  const isActive = useAttrs<RichTextExtension>().link() !== undefined;
  return (
    <ToolbarPopover
      label={t('link')}
      icon={<IconLink size={18} stroke={1.75} aria-hidden />}
      opened={opened}
      onChange={setOpened}
      isPressed={isActive}
      width={300}
    >
      {(done) => <LinkForm onDone={done} />}
    </ToolbarPopover>
  );
}
