/** The languages offered for a code block, by the name that stands in its class; every one of them has a grammar. */
export const codeLanguages = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  go: 'Go',
  haskell: 'Haskell',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  latex: 'LaTeX',
  matlab: 'MATLAB',
  php: 'PHP',
  python: 'Python',
  r: 'R',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  swift: 'Swift',
  typescript: 'TypeScript',
} as const;

export type CodeLanguage = keyof typeof codeLanguages;

export const codeLanguageNames = Object.keys(codeLanguages) as CodeLanguage[];

const languageClass = /^language-([a-z0-9+#-]{1,30})$/;

/** The language that an element's class names, whether offered or not. */
export function languageOf(element: Element | null): string | null {
  for (const name of element?.classList ?? []) {
    const language = languageClass.exec(name)?.[1];
    if (language !== undefined) return language;
  }
  return null;
}
