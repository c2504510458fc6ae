import type { AnswerView, CommentView, QuestionView } from '@nimo/projections';
import { plainTextOf, withDirections, withoutFormulaMarks, withSpaces } from '@nimo/rich-text';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { picturesBeside } from '@nimo/domain';
import { escaped } from '../../platform/web/escape-html.js';
import { etagOf, type ServedContent, type ServedPage } from '../../platform/web/static-web.js';

interface PublicAnswer {
  readonly answer: AnswerView;
  readonly isAccepted: boolean;
  readonly comments: readonly CommentView[];
}

/** All that anybody who has a question's link may read. */
export interface PublicQuestion {
  readonly question: QuestionView;
  readonly comments: readonly CommentView[];
  readonly answers: readonly PublicAnswer[];
  /** Its space is kept out of search engines. */
  readonly isHidden: boolean;
}

/** What the whole world reads of a person: the user name they chose, never the full name. An erased person has none. */
const nameOf = ({ userName }: QuestionView['author']): string => userName || 'Somebody';

/** What a list of results or a preview says of the question. */
function descriptionOf({ excerpt, answerCount, subject, space }: QuestionView): string {
  const answers = answerCount === 1 ? '1 answer' : `${answerCount} answers`;
  const place = [subject.subjectName, space.name].filter(Boolean).join(', ');
  return excerpt === '' ? `A question in ${place} with ${answers}.` : withoutFormulaMarks(excerpt);
}

type JsonLd = Readonly<Record<string, unknown>>;

/** https://schema.org/QAPage; `address` is the page's own, where it is known. */
function questionJsonLd({ question, answers }: PublicQuestion, address: string | undefined): JsonLd {
  const accepted = answers.find(({ isAccepted }) => isAccepted);
  const suggested = answers.filter(({ isAccepted }) => !isAccepted);
  return {
    '@context': 'https://schema.org',
    '@type': 'QAPage',
    mainEntity: {
      '@type': 'Question',
      name: question.title,
      text: plainTextOf(question.body) || question.title,
      answerCount: question.answerCount,
      upvoteCount: question.upvoteCount,
      datePublished: question.createdAt,
      ...(question.editedAt !== null && { dateModified: question.editedAt }),
      author: personOf(question.author),
      ...(address !== undefined && { url: address }),
      ...(accepted && { acceptedAnswer: jsonLdAnswerOf(accepted, address) }),
      ...(suggested.length > 0 && {
        suggestedAnswer: suggested.map((answer) => jsonLdAnswerOf(answer, address)),
      }),
    },
  };
}

const personOf = (author: Parameters<typeof nameOf>[0]): JsonLd => ({
  '@type': 'Person',
  name: nameOf(author),
});

const jsonLdAnswerOf = ({ answer }: PublicAnswer, address: string | undefined): JsonLd => ({
  '@type': 'Answer',
  text: plainTextOf(answer.body),
  upvoteCount: answer.upvoteCount,
  datePublished: answer.createdAt,
  ...(answer.editedAt !== null && { dateModified: answer.editedAt }),
  author: personOf(answer.author),
  ...(address !== undefined && { url: `${address}#answer-${answer._id}` }),
});

/** Changes with any file beside this one: the next build may show the same question otherwise. */
const PAGE_VERSION = versionOfCode(new URL('.', import.meta.url));

function versionOfCode(folder: URL): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name) && !/spec\.[jt]s$/.test(name));
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('base64url');
}

/** A question for crawlers, link previews and whoever has no JavaScript. The app takes the content's place when it is there. */
export function publicQuestionPage(
  shown: PublicQuestion,
  origin: string | undefined,
): ServedPage & { readonly served: ServedContent } {
  const address = origin && `${origin}/question/${shown.question._id}`;
  return {
    status: 200,
    isIndexed: !shown.isHidden,
    served: {
      validator: etagOf(JSON.stringify([PAGE_VERSION, origin, shown], withoutMembers)),
      render: () => ({ head: headOf(shown, origin, address), content: contentOf(shown) }),
    },
  };
}

/** All that the page is made of, and a little more; not how many members the space has, which changes all the time and is not shown. */
const withoutMembers = (key: string, value: unknown): unknown => (key === 'memberCount' ? undefined : value);

function headOf(shown: PublicQuestion, origin: string | undefined, address: string | undefined): string {
  const { question, isHidden } = shown;
  const title = `${question.title} | Nimo`;
  const description = descriptionOf(question);
  const [picture] = question.imageUrls;
  const image = origin !== undefined && picture?.startsWith('/') ? `${origin}${picture}` : undefined;
  const tags = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    isHidden && meta('name', 'robots', 'noindex'),
    address && `<link rel="canonical" href="${escaped(address)}">`,
    meta('property', 'og:type', 'article'),
    meta('property', 'og:site_name', 'Nimo'),
    meta('property', 'og:title', question.title),
    meta('property', 'og:description', description),
    address && meta('property', 'og:url', address),
    image && meta('property', 'og:image', image),
    meta('property', 'article:published_time', question.createdAt),
    meta('name', 'twitter:card', image === undefined ? 'summary' : 'summary_large_image'),
    meta('name', 'twitter:title', question.title),
    meta('name', 'twitter:description', description),
    image && meta('name', 'twitter:image', image),
    // A data block: it is not run, so that the policy against inline scripts lets it be.
    `<script type="application/ld+json">${jsonInHtml(questionJsonLd(shown, address))}</script>`,
  ];
  return tags.filter(Boolean).join('\n    ');
}

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escaped(content)}">`;

/** JSON that no text in it can leave: `</script>` and `<!--` need the character that is written otherwise. */
const jsonInHtml = (value: object): string => JSON.stringify(value).replace(/</g, '\\u003c');

function contentOf({ question, comments, answers }: PublicQuestion): string {
  const place = [question.space.name, question.subject.subjectName, question.topic.topicName];
  return `<div class="served-page">
<header class="served-page-header"><a class="served-page-brand" href="/">Nimo</a><a class="served-page-login" href="/login">Log In</a></header>
<main class="served-page-main"><article>
<p class="served-page-place">${place.filter(Boolean).map(named).join(' · ')}</p>
<h1 dir="auto">${escaped(question.title)}</h1>
${byline(question, question.acceptedAnswer ? ' · Solved' : '')}
${bodyOf(question.body)}${pictures(question)}
${commentList(comments)}
</article>
<section aria-label="Answers"><h2>${counted(question.answerCount, 'answer')}</h2>
${answers.map(answerOf).join('\n')}${furtherAnswers(question.answerCount - answers.length)}
</section></main></div>`;
}

/** A name between others on a line keeps its direction to itself. */
const named = (name: string): string => `<bdi>${escaped(name)}</bdi>`;

const furtherAnswers = (count: number): string =>
  count > 0 ? `\n<p class="served-page-byline">${counted(count, 'more answer')} in the app</p>` : '';

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

interface Written {
  readonly author: Parameters<typeof nameOf>[0];
  readonly createdAt: string;
}

function byline(written: Written & { readonly upvoteCount: number }, more = ''): string {
  const votes = counted(written.upvoteCount, 'upvote');
  return `<p class="served-page-byline">${signature(written)} · ${votes}${more}</p>`;
}

/** In the language of the page, as the app writes it. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const signature = ({ author, createdAt }: Written): string =>
  `<b>${escaped(nameOf(author))}</b> <time datetime="${escaped(createdAt)}">${day.format(new Date(createdAt))}</time>`;

/** The read models hold bodies sanitised. */
const bodyOf = (html: string): string =>
  html === '' ? '' : `<div dir="auto">${withSpaces(withDirections(html))}</div>`;

/** Those beside the text. */
function pictures({
  body,
  imageUrls,
}: {
  readonly body: string;
  readonly imageUrls: readonly string[];
}): string {
  const shown = picturesBeside(body, imageUrls).map(
    (url, index) => `<li><img src="${escaped(url)}" alt="Picture ${index + 1}" loading="lazy"></li>`,
  );
  return shown.length === 0 ? '' : `<ul class="served-page-pictures">${shown.join('')}</ul>`;
}

function answerOf({ answer, isAccepted, comments }: PublicAnswer): string {
  return `<article id="answer-${escaped(answer._id)}">${byline(answer, isAccepted ? ' · Accepted' : '')}
${bodyOf(answer.body)}${pictures(answer)}
${commentList(comments)}</article>`;
}

function commentList(comments: readonly CommentView[]): string {
  const items = comments.map(
    (comment) => `<li>${signature(comment)} <div dir="auto">${escaped(comment.words)}</div></li>`,
  );
  return items.length === 0 ? '' : `<ul class="served-page-comments">${items.join('')}</ul>`;
}
