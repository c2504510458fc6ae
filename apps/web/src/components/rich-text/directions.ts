const blocks: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol table'.split(' '));

/**
 * Each outermost block of a body takes the direction of its own first letter, and code runs from left to right. An element that says
 * its direction counts for nothing in the one around it, so blocks in a block have none: the style sheet sets those by paragraph.
 */
export function setDirections(body: HTMLElement): void {
  for (const code of body.querySelectorAll('code, pre')) code.setAttribute('dir', 'ltr');
  for (const block of body.children) if (blocks.has(block.localName)) block.setAttribute('dir', 'auto');
}
