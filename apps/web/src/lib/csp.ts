const placeholder = '__CSP_NONCE__';

/** The nonce that the api wrote into this response; empty where nobody replaced it (the development server). */
export function cspNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  return content === placeholder ? '' : content;
}
