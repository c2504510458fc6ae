/** Evaluates the output of `npm audit --json`. */
export function judge(answer: string): {
  readonly kind: 'fine' | 'unanswered' | 'severe';
  readonly text: string;
};
