export interface CopiedText {
  readonly text: string;
  /** The same with its formatting. */
  readonly html?: string;
}

/** @throws Error where the browser does not allow it, or does not offer it outside a secure context */
export async function copyText({ text, html }: CopiedText): Promise<void> {
  if (html === undefined || !('ClipboardItem' in globalThis)) return navigator.clipboard.writeText(text);
  const [plain, rich] = [new Blob([text], { type: 'text/plain' }), new Blob([html], { type: 'text/html' })];
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain, 'text/html': rich })]);
}
