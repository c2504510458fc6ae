import { z } from 'zod';
import type { Statement } from '@nimo/projections';
import type { Pool, PoolClient } from 'pg';
import { withDirections, withSpaces } from '@nimo/rich-text';
import { escaped } from '../../platform/web/escape-html.js';
import { keyAt } from '../uploads/picture-access.js';
import type { OwnEvent } from './own-events.js';

export interface JsonPart {
  readonly name: string;
  readonly rows: AsyncIterable<Row | OwnEvent>;
}

const OWN_DATA_LANGUAGES = ['en', 'de', 'es', 'it', 'ru'] as const;
export type OwnDataLanguage = (typeof OWN_DATA_LANGUAGES)[number];

/** English for one that is not known. */
export const ownDataLanguage = z.enum(OWN_DATA_LANGUAGES).catch('en');

const ROWS_AT_ONCE = 500;

export type Row = Readonly<Record<string, unknown>>;

/** One moment of the database: everything that is read of it fits together, and none of it is held whole. */
export class Moment {
  private cursors = 0;

  private constructor(readonly client: PoolClient) {}

  static async of<Result>(pool: Pool, work: (moment: Moment) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      const result = await work(new Moment(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      // What is unfinished there goes with the connection.
      client.release(true);
      throw error;
    }
  }

  /** One at a time: a connection has one conversation. */
  async *rows({ text, values = [] }: Statement): AsyncGenerator<Row> {
    const cursor = `own_${(this.cursors += 1)}`;
    await this.client.query(`declare ${cursor} no scroll cursor for ${text}`, values);
    for (;;) {
      const { rows } = await this.client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${cursor}`);
      yield* rows;
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await this.client.query(`close ${cursor}`);
  }
}

const en = {
  title: 'Your data at Nimo',
  lead: 'Everything that Nimo keeps of you, as of {when}. The file data.json beside this page has all of it for programs, with every event of yours in the log. Pictures are in the folder “pictures”.',
  none: 'Nothing.',
  yes: 'yes',
  no: 'no',
  sections: {
    profile: 'Profile and contacts',
    roles: 'Roles',
    memberships: 'Spaces',
    questions: 'Questions',
    answers: 'Answers',
    comments: 'Comments',
    votes: 'Votes',
    bookmarks: 'Saved questions',
    reports: 'Reports that you made',
    newsWritten: 'News that you wrote',
    newsReactions: 'News that you liked or saved',
    notifications: 'Notifications',
    activities: 'Activities',
    decisions: 'Decisions of moderators about your posts',
    scores: 'Scores',
    scoreFacts: 'What your scores are made of',
    scoreNotices: 'Votes declared invalid',
    logInServices: 'Services that you log in with',
    password: 'Password',
    sessions: 'Where you are signed in',
    securityLog: 'Security log',
    secondFactors: 'Second factors',
    notificationsSeen: 'When you last looked at notifications',
    language: 'Language of your mails and SMS',
    invitationsMade: 'Invitations that you created for others',
    invitationsUsed: 'Invitations that you joined by',
    groupsOfServices: 'Groups at services you log in with that spaces ask for',
    uploads: 'Pictures that you uploaded',
  },
};
type OwnPageTexts = typeof en;
type OwnPageSection = keyof OwnPageTexts['sections'];

const de: OwnPageTexts = {
  title: 'Deine Daten bei Nimo',
  lead: 'Alles, was Nimo über dich gespeichert hat, Stand {when}. Die Datei data.json neben dieser Seite enthält es vollständig für Programme, mit allen deinen Ereignissen im Protokoll. Bilder liegen im Ordner „pictures“.',
  none: 'Nichts.',
  yes: 'ja',
  no: 'nein',
  sections: {
    profile: 'Profil und Kontakte',
    roles: 'Rollen',
    memberships: 'Räume',
    questions: 'Fragen',
    answers: 'Antworten',
    comments: 'Kommentare',
    votes: 'Bewertungen',
    bookmarks: 'Gemerkte Fragen',
    reports: 'Deine Meldungen',
    newsWritten: 'Deine Neuigkeiten',
    newsReactions: 'Neuigkeiten, die dir gefallen oder die du gemerkt hast',
    notifications: 'Benachrichtigungen',
    activities: 'Aktivitäten',
    decisions: 'Entscheidungen der Moderation über deine Beiträge',
    scores: 'Punkte',
    scoreFacts: 'Woraus deine Punkte bestehen',
    scoreNotices: 'Für ungültig erklärte Bewertungen',
    logInServices: 'Dienste, mit denen du dich anmeldest',
    password: 'Passwort',
    sessions: 'Wo du angemeldet bist',
    securityLog: 'Sicherheitsprotokoll',
    secondFactors: 'Zweite Faktoren',
    notificationsSeen: 'Wann du zuletzt nach Benachrichtigungen gesehen hast',
    language: 'Sprache deiner E-Mails und SMS',
    invitationsMade: 'Einladungen, die du für andere angelegt hast',
    invitationsUsed: 'Einladungen, mit denen du beigetreten bist',
    groupsOfServices: 'Gruppen bei Anmeldediensten, nach denen Räume fragen',
    uploads: 'Hochgeladene Bilder',
  },
};

const es: OwnPageTexts = {
  title: 'Tus datos en Nimo',
  lead: 'Todo lo que Nimo guarda sobre ti, a {when}. El archivo data.json junto a esta página lo contiene completo para programas, con todos tus eventos del registro. Las imágenes están en la carpeta «pictures».',
  none: 'Nada.',
  yes: 'sí',
  no: 'no',
  sections: {
    profile: 'Perfil y contactos',
    roles: 'Roles',
    memberships: 'Espacios',
    questions: 'Preguntas',
    answers: 'Respuestas',
    comments: 'Comentarios',
    votes: 'Votos',
    bookmarks: 'Preguntas guardadas',
    reports: 'Denuncias que hiciste',
    newsWritten: 'Noticias que escribiste',
    newsReactions: 'Noticias que te gustaron o guardaste',
    notifications: 'Notificaciones',
    activities: 'Actividades',
    decisions: 'Decisiones de moderación sobre tus publicaciones',
    scores: 'Puntuaciones',
    scoreFacts: 'De qué se compone tu puntuación',
    scoreNotices: 'Votos declarados no válidos',
    logInServices: 'Servicios con los que inicias sesión',
    password: 'Contraseña',
    sessions: 'Dónde has iniciado sesión',
    securityLog: 'Registro de seguridad',
    secondFactors: 'Segundos factores',
    notificationsSeen: 'Cuándo miraste las notificaciones por última vez',
    language: 'Idioma de tus correos y SMS',
    invitationsMade: 'Invitaciones que creaste para otros',
    invitationsUsed: 'Invitaciones con las que entraste',
    groupsOfServices: 'Grupos de los servicios de acceso que piden los espacios',
    uploads: 'Imágenes que subiste',
  },
};

const it: OwnPageTexts = {
  title: 'I tuoi dati su Nimo',
  lead: 'Tutto ciò che Nimo conserva di te, al {when}. Il file data.json accanto a questa pagina lo contiene per intero per i programmi, con tutti i tuoi eventi nel registro. Le immagini sono nella cartella “pictures”.',
  none: 'Niente.',
  yes: 'sì',
  no: 'no',
  sections: {
    profile: 'Profilo e contatti',
    roles: 'Ruoli',
    memberships: 'Spazi',
    questions: 'Domande',
    answers: 'Risposte',
    comments: 'Commenti',
    votes: 'Voti',
    bookmarks: 'Domande salvate',
    reports: 'Segnalazioni che hai fatto',
    newsWritten: 'Notizie che hai scritto',
    newsReactions: 'Notizie che ti sono piaciute o che hai salvato',
    notifications: 'Notifiche',
    activities: 'Attività',
    decisions: 'Decisioni dei moderatori sui tuoi contributi',
    scores: 'Punteggi',
    scoreFacts: 'Da cosa nasce il tuo punteggio',
    scoreNotices: 'Voti dichiarati non validi',
    logInServices: 'Servizi con cui accedi',
    password: 'Password',
    sessions: 'Dove hai effettuato l’accesso',
    securityLog: 'Registro di sicurezza',
    secondFactors: 'Secondi fattori',
    notificationsSeen: 'Quando hai guardato le notifiche l’ultima volta',
    language: 'Lingua delle tue email e dei tuoi SMS',
    invitationsMade: 'Inviti che hai creato per altri',
    invitationsUsed: 'Inviti con cui sei entrato',
    groupsOfServices: 'Gruppi dei servizi di accesso richiesti dagli spazi',
    uploads: 'Immagini che hai caricato',
  },
};

const ru: OwnPageTexts = {
  title: 'Твои данные в Nimo',
  lead: 'Всё, что Nimo хранит о тебе, по состоянию на {when}. Файл data.json рядом с этой страницей содержит всё полностью для программ, вместе со всеми твоими событиями журнала. Картинки лежат в папке «pictures».',
  none: 'Ничего.',
  yes: 'да',
  no: 'нет',
  sections: {
    profile: 'Профиль и контакты',
    roles: 'Роли',
    memberships: 'Пространства',
    questions: 'Вопросы',
    answers: 'Ответы',
    comments: 'Комментарии',
    votes: 'Голоса',
    bookmarks: 'Сохранённые вопросы',
    reports: 'Твои жалобы',
    newsWritten: 'Твои новости',
    newsReactions: 'Новости, которые тебе понравились или сохранены',
    notifications: 'Уведомления',
    activities: 'Действия',
    decisions: 'Решения модераторов о твоих записях',
    scores: 'Баллы',
    scoreFacts: 'Из чего складываются твои баллы',
    scoreNotices: 'Голоса, признанные недействительными',
    logInServices: 'Сервисы, через которые ты входишь',
    password: 'Пароль',
    sessions: 'Где выполнен вход',
    securityLog: 'Журнал безопасности',
    secondFactors: 'Вторые факторы',
    notificationsSeen: 'Когда ты последний раз смотрел(а) уведомления',
    language: 'Язык писем и SMS',
    invitationsMade: 'Приглашения, созданные тобой для других',
    invitationsUsed: 'Приглашения, по которым ты вступил(а)',
    groupsOfServices: 'Группы в сервисах входа, которые нужны пространствам',
    uploads: 'Загруженные картинки',
  },
};

const OWN_PAGE_TEXTS: Readonly<Record<OwnDataLanguage, OwnPageTexts>> = { en, de, es, it, ru };

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c}
h2{margin-top:2.5rem;border-bottom:1px solid #bbb}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1rem;
margin:0 0 1rem;padding:.75rem 1rem;border:1px solid #ddd;border-radius:.5rem}dt{color:#555}dd{margin:0;overflow-wrap:anywhere}
img{max-width:100%;height:auto;max-height:24rem}th,td{padding:.25rem .5rem;border:1px solid #bbb;text-align:start}
dd :is(p,li,th,td){unicode-bidi:plaintext}.nimo-spaces{white-space:break-spaces}`;

/** Sanitised when it was written: shown as it is, and nothing in it runs. */
const RICH: ReadonlySet<string> = new Set(['questions.body', 'answers.body', 'newsWritten.body']);

/** Opens from a disk, without a server or a script. In pieces, row by row. */
export async function* ownPage(
  language: OwnDataLanguage,
  madeAt: string,
  parts: AsyncIterable<JsonPart>,
): AsyncGenerator<string> {
  const texts = OWN_PAGE_TEXTS[language];
  const when = new Date(madeAt).toLocaleString(language, { timeZone: 'UTC', timeZoneName: 'short' });
  yield `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${escaped(texts.title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(texts.title)}</h1><p>${escaped(texts.lead.replace('{when}', when))}</p>\n`;
  for await (const { name, rows } of parts) {
    yield `<section id="${name}"><h2>${escaped(texts.sections[name as OwnPageSection])}</h2>\n`;
    let isEmpty = true;
    for await (const row of rows) {
      isEmpty = false;
      yield rowOf(name, row as Row, texts);
    }
    yield `${isEmpty ? `<p>${escaped(texts.none)}</p>` : ''}</section>\n`;
  }
  yield '</body></html>\n';
}

function rowOf(section: string, row: Row, texts: OwnPageTexts): string {
  const facts = Object.entries(row).filter(
    ([, value]) => value !== null && value !== '' && !isEmptyList(value),
  );
  const lines = facts.map(
    ([name, value]) =>
      `<dt>${escaped(worded(name))}</dt><dd dir="auto">${shown(section, name, value, texts)}</dd>`,
  );
  return `<dl>${lines.join('')}</dl>\n`;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** `askedAt` reads `asked at`: the names of data.json, so that one is found in the other. */
const worded = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function shown(section: string, name: string, value: unknown, texts: OwnPageTexts): string {
  if (typeof value === 'boolean') return texts[value ? 'yes' : 'no'];
  if (typeof value === 'string') {
    if (RICH.has(`${section}.${name}`))
      return withSpaces(withDirections(value)).replaceAll('src="/media/', 'src="pictures/');
    const key = section === 'uploads' && name === 'key' ? value : keyAt(value);
    return key === undefined ? escaped(value) : `<img src="pictures/${escaped(key)}" alt="${escaped(key)}">`;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => shown(section, name, one, texts)).join(', ');
  if (value instanceof Date) return value.toISOString();
  return escaped(JSON.stringify(value));
}
