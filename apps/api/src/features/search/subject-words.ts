/** Words that questions about anything have in common, in the languages of the product. */
const COMMON = new Set(
  [
    'a an and any are between calculate can could did difference do does doing don explain find for from get give had has have help how i if in is isn it its',
    'know make me must my need no not of on one or please should so solve some than that the their then there these they this to understand use',
    'used using was we were what when where which while who whose why will with works would write you your',
    'aber als am auf auch aus bei berechne berechnen berechnet das dass dem den der des die du ein eine einem einen einer eines er erklären es finde finden funktioniert funktionieren für geht gibt hat',
    'ich im ist kann können man meine mit muss nach nicht oder sich sie sind und unterschied vom von wann warum was welche welcher welches wenn wer werden wie wieso wird wo',
    'woher wozu wurde zu zum zur zwischen',
    'al calcula calcular como cómo con cual cuál cuales cuáles cuando cuándo de del diferencia donde dónde el en entre es está esta este funciona hace hacer hay la las lo los para pero por porque',
    'puede puedo que qué quien quién se si sobre son su sus un una usa',
    'calcola calcolare che chi come cosa cui da dal dalla dei del della delle di differenza dove fa fare funziona gli ha ho il le mi nel nella non per perché perchè più posso può qual quale quali',
    'quando si sono su sul sulla tra fra uno è',
    'в во где для до его ее если есть её и из или их к как какая какие какой какую когда кто ли между можно мне на найти не о об он она они от по почему при работает работают разница с со',
    'такое так то у чем чём что чтобы эта эти это этот я',
  ].flatMap((words) => words.split(' ')),
);

const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]*(?![\p{L}\p{N}+#])/gu;

/** Articles, prepositions, or a word that has just been begun; π is none. */
const SHORT = /^(?!\p{Script=Greek})\p{Ll}{1,2}$/u;

/** Elsewhere, work and the mean are what is asked about. */
const ASKING_VERB = /\b(?:work|mean)(?=\W*$)(?<=^\W*(?:how|what) do(?:es)? (?!i |you |we ).*)/i;

/** A title without the words that say nothing about its subject: two questions are not alike because both begin with "How do I". */
export const subjectWordsOf = (title: string): string =>
  title
    .replace(ASKING_VERB, '')
    .replace(WORD, (word) => (SHORT.test(word) || COMMON.has(word.toLowerCase()) ? '' : word));
