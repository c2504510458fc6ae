import { toDom } from 'hast-util-to-dom';
import { refractor } from 'refractor/core';
import bash from 'refractor/bash';
import c from 'refractor/c';
import cpp from 'refractor/cpp';
import csharp from 'refractor/csharp';
import css from 'refractor/css';
import go from 'refractor/go';
import haskell from 'refractor/haskell';
import java from 'refractor/java';
import javascript from 'refractor/javascript';
import json from 'refractor/json';
import kotlin from 'refractor/kotlin';
import latex from 'refractor/latex';
import markup from 'refractor/markup';
import matlab from 'refractor/matlab';
import php from 'refractor/php';
import python from 'refractor/python';
import r from 'refractor/r';
import ruby from 'refractor/ruby';
import rust from 'refractor/rust';
import sql from 'refractor/sql';
import swift from 'refractor/swift';
import typescript from 'refractor/typescript';

const grammars = [
  ...[bash, c, cpp, csharp, css, go, haskell, java, javascript, json, kotlin, latex, markup],
  ...[matlab, php, python, r, ruby, rust, sql, swift, typescript],
];
grammars.forEach((grammar) => refractor.register(grammar));

/** In characters: longer code stays plain, because some grammars are worse than linear. */
export const MAX_HIGHLIGHTED_LENGTH = 10_000;

/** Highlights a code element with a known language; its text does not change. */
export function highlight(code: Element, language: string): void {
  const text = code.textContent;
  if (text.length > MAX_HIGHLIGHTED_LENGTH || !refractor.registered(language)) return;
  code.replaceChildren(toDom(refractor.highlight(text, language), { fragment: true }));
}
