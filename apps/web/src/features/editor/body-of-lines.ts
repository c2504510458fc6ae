/** The body of a post that was written without the rich editor: a paragraph a line. */
export function bodyOfLines(text: string): string {
  if (text === '') return '';
  return text
    .split('\n')
    .map((line) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      return paragraph.outerHTML;
    })
    .join('');
}
