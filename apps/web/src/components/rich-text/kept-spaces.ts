/** White space beside a line feed only indents the source of imported HTML. */
const run = /(?<!\s)( {2,}| *\t[ \t]*)(?!\s)/;
/** At the start of a line HTML shows no space at all. */
const runOrIndent = /(^ |(?<!\s)(?: {2,}| *\t[ \t]*))(?!\s)/;

const inline = 'a,b,code,em,i,img,kbd,s,span,strong,sub,sup,u';
const isInline = (node: Node | null): boolean => node instanceof Element && node.matches(inline);

function beginsLine({ previousSibling, parentElement }: Text): boolean {
  return previousSibling === null
    ? parentElement?.localName === 'p'
    : previousSibling instanceof HTMLBRElement;
}

/**
 * HTML shows several spaces, or a tab, as one space. Runs of them go into elements that keep them; blocks of code keep theirs
 * anyway. `withSpaces` does the same on the server.
 */
export function keepSpaces(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: [Text, RegExp][] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text;
    const isLineStart = beginsLine(text);
    const isBetween = isInline(text.nextSibling) && (isLineStart || isInline(text.previousSibling));
    const isRead =
      (text.data.trim() !== '' || isBetween) && text.parentElement?.closest('pre, [data-source]') === null;
    const pattern = isLineStart ? runOrIndent : run;
    if (isRead && pattern.test(text.data)) texts.push([text, pattern]);
  }
  for (const [text, pattern] of texts)
    text.replaceWith(
      // Runs are at odd places.
      ...text.data.split(pattern).map((piece, place) => {
        if (place % 2 === 0) return piece;
        const spaces = document.createElement('span');
        spaces.className = 'nimo-spaces';
        spaces.textContent = piece;
        return spaces;
      }),
    );
}
