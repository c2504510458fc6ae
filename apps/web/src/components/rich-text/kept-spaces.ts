/** Spaces beside a line feed only indent the source of imported HTML. */
const run = /(?<!\s)( {2,})(?!\s)/;

/** HTML shows several spaces as one. Runs of them go into elements that keep them; blocks of code keep theirs anyway. */
export function keepSpaces(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text;
    const isRead = text.data.trim() !== '' && text.parentElement?.closest('pre, [data-source]') === null;
    if (isRead && run.test(text.data)) texts.push(text);
  }
  for (const text of texts)
    text.replaceWith(
      // Runs are at odd places.
      ...text.data.split(run).map((piece, place) => {
        if (place % 2 === 0) return piece;
        const spaces = document.createElement('span');
        spaces.className = 'nimo-spaces';
        spaces.textContent = piece;
        return spaces;
      }),
    );
}
