import type { Random } from './random.js';

const WORDS = (
  'the derivative of a function tells how fast it changes when its argument moves and the slope of the line that touches its ' +
  'graph there is what we call its value at that point so what happens with an angle that is not measured in degrees while ' +
  'force mass acceleration energy wave particle atom electron field circuit resistor voltage current lens mirror image real ' +
  'virtual verb noun accent grave aigu sentence subject object pronoun tense future past teacher exam homework question answer'
).split(' ');

export function sentence(random: Random, min: number, max: number): string {
  const words = Array.from({ length: random.between(min, max) }, () => random.one(WORDS));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** HTML that the sanitiser does not change. */
export function body(random: Random): string {
  const paragraphs = Array.from(
    { length: random.between(1, 4) },
    () =>
      `<p>${sentence(random, 12, 45)}. <strong>${sentence(random, 2, 5)}</strong>, ${sentence(random, 5, 20)}.</p>`,
  );
  return paragraphs.join('');
}
