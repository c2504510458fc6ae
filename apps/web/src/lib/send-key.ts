/** How the keys that send are written on this device. */
export const sendKeyLabel = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter';

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Whether these keys send what is written. */
export const isSendKey = ({ key, ctrlKey, metaKey }: Pressed): boolean =>
  key === 'Enter' && (ctrlKey || metaKey);
