/** How the keys that send are written on this device. */
export const sendKeyLabel = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter';
