import { EventHistory } from '@nimo/projections/testing';

/** Questions in the interface languages and related ones, keyed by the names used in the test cases. */
const QUESTIONS = {
  chain: ['How does the chain rule work?', 'Differentiate a function of a function, step by step.'],
  product: ['Product rule of derivatives', 'Two functions are multiplied.'],
  ruler: ['The rule of the longest chain', 'Words about chemistry and polymers.'],
  photo: ['What is photosynthesis?', 'Plants turn light into sugar.'],
  sky: ['Why is the sky blue?', 'It scatters in the air; photosynthesis has nothing to do with it.'],
  cat: ['Why does a cat purr?', 'My pet does so all night.'],
  category: ['What is a category in mathematics?', 'Objects and arrows between them.'],
  newton: ["Newton's second law", 'Force equals mass times acceleration.'],
  pi: ['Is pi rational?', 'A proof, please.'],
  irrational: ['The irrational numbers', 'Where does π stand?'],
  kettenregel: ['Wie wendet man die Kettenregel an?', 'Ableitung einer verketteten Funktion.'],
  loesung: ['Lösung einer quadratischen Gleichung', 'Mitternachtsformel oder Ergänzung?'],
  fussball: ['Wie groß ist ein Fußballplatz?', 'In Metern, bitte.'],
  aufgabe: ['Schulaufgabe zur Stochastik', 'Was kommt dran?'],
  donau: ['Donaudampfschifffahrt im Erdkundeunterricht', 'Wozu?'],
  wasser: ['Der Wasser Kreislauf', 'Verdunstung und Niederschlag.'],
  eleve: ["L'équation du second degré", 'Les élèves la résolvent avec le discriminant.'],
  foret: ['La forêt amazonienne', 'Où se trouve-t-elle ? Au Brésil.'],
  coeur: ['Le cœur humain', 'Combien de battements ?'],
  nino: ['¿Cómo aprende un niño a leer?', 'Las sílabas primero.'],
  recta: ['Ecuación de la recta', 'Con dos puntos.'],
  mare: ['Perché il mare è salato?', 'Il sale viene dai fiumi.'],
  citta: ["Le città più antiche d'Italia", 'Da Roma a Taranto.'],
  pifagor: ['Теорема Пифагора', 'Квадрат гипотенузы равен сумме квадратов катетов.'],
  elka: ['Почему ёлка вечнозелёная?', 'У неё иголки.'],
  reka: ['Самая длинная река России', 'Лена или Обь?'],
} as const;

export type QuestionName = keyof typeof QUESTIONS | 'solved' | 'elsewhere' | 'mine';

const ANSWERS = {
  outer: ['chain', 'Multiply the outer derivative by the inner derivative.'],
  discriminant: ['eleve', 'On calcule le discriminant, puis les racines.'],
  gips: ['pifagor', 'Нарисуйте гипотенузу.'],
  purr: ['cat', 'Because the discriminant of a purr is positive.'],
} as const;

export type AnswerName = keyof typeof ANSWERS;

/** A space with fixed content, and another space whose content must not leak into it. */
export class Library {
  readonly past = new EventHistory();
  readonly spaceId = this.past.newSpace();
  readonly mathematics = this.past.newSubject(this.spaceId, 'Mathematics');
  readonly biology = this.past.newSubject(this.spaceId, 'Biology');
  readonly algebra = this.past.newTopic(this.spaceId, this.mathematics, 'Algebra');
  readonly calculus = this.past.newTopic(this.spaceId, this.mathematics, 'Calculus');
  readonly botany = this.past.newTopic(this.spaceId, this.biology, 'Botanik');
  readonly ada = this.past.newStudent({ userName: 'ada_lovelace', firstName: 'Ada', lastName: 'Lovelace' });
  readonly bob = this.past.newStudent({ userName: 'bob.noether', firstName: 'Émilie', lastName: 'Noether' });
  readonly questions = new Map<QuestionName, string>();
  readonly answers = new Map<AnswerName, string>();

  constructor() {
    const { past } = this;
    for (const student of [this.ada, this.bob]) past.join(student, this.spaceId);
    for (const [name, [title, body]] of Object.entries(QUESTIONS)) {
      const topic = name === 'photo' ? this.botany : this.algebra;
      this.questions.set(name as QuestionName, past.ask(this.ada, topic, { title, body: `<p>${body}</p>` }));
    }
    for (const [name, [question, body]] of Object.entries(ANSWERS)) {
      const answer = past.answer(this.bob, this.question(question), `<p>${body}</p>`);
      this.answers.set(name as AnswerName, answer);
    }
    this.addFilterCases();
  }

  question(name: QuestionName): string {
    const id = this.questions.get(name);
    if (id === undefined) throw new Error(`no question ${name}`);
    return id;
  }

  answer(name: AnswerName): string {
    const id = this.answers.get(name);
    if (id === undefined) throw new Error(`no answer ${name}`);
    return id;
  }

  /** Three questions about Fibonacci that only filters can distinguish. */
  private addFilterCases(): void {
    const { past, questions } = this;
    const title = 'Fibonacci numbers';
    questions.set('solved', past.ask(this.ada, this.algebra, { title }));
    past.accept(past.answer(this.bob, this.question('solved')));
    questions.set('mine', past.ask(this.bob, this.calculus, { title }));
    past.save(this.ada, this.question('mine'));
    const other = past.newSpace();
    const subject = past.newSubject(other);
    const outsider = past.newStudent({ userName: 'fibonacci' });
    past.join(outsider, other);
    questions.set('elsewhere', past.ask(outsider, past.newTopic(other, subject, 'Fibonacci'), { title }));
  }
}
