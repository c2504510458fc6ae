import { FORMULA_CLASS } from '../../components/rich-text/enrich-body';
import { blockEnd } from './truncate';

function signsOf(element: Element): { open: string; close: string } {
  const isBlock = element.localName === 'pre';
  if (element.classList.contains(FORMULA_CLASS)) return isBlock ? twice('$$') : twice('$');
  if (!isBlock) return twice('`');
  const language = /(?:^|\s)language-(\S+)/.exec(element.querySelector('code')?.className ?? '')?.[1];
  return { open: `\`\`\`${language ?? ''}\n`, close: '\n```' };
}

const twice = (sign: string) => ({ open: sign, close: sign });

/** A body line by line, as it is copied: formulas and code keep the signs by which an editor knows them. */
export function writtenLines(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(blockEnd, '$&\n'), 'text/html');
  for (const element of body.querySelectorAll('pre, code')) {
    if (element.parentElement?.closest('pre')) continue;
    const { open, close } = signsOf(element);
    element.prepend(open);
    element.append(close);
  }
  return body.textContent.trim();
}
