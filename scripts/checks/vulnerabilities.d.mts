/** Evaluates the output of `npm audit --json`. */
export function assess(answer: string): {
  readonly kind: 'fine' | 'unanswered' | 'severe';
  readonly text: string;
};
