/** Evaluates the output of `npm audit --json`. */
export function judge(answer: string): {
  readonly kind: 'fine' | 'unanswered' | 'grave';
  readonly text: string;
};
