import type { AnswerView, CommentView, QuestionView } from '@nimo/projections';
import { plainTextOf, withDirections, withoutFormulaMarks, withSpaces } from '@nimo/rich-text';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { attachedPictures } from '@nimo/domain';
import { escapeHtml } from '../../platform/web/escape-html.js';
import { weakEtag, type ServedContent, type ServedPage } from '../../platform/web/static-web.js';

interface PublicAnswer {
  readonly answer: AnswerView;
  readonly isAccepted: boolean;
  readonly comments: readonly CommentView[];
}

/** Everything a reader with the question's link may see. */
export interface PublicQuestion {
  readonly question: QuestionView;
  readonly comments: readonly CommentView[];
  readonly answers: readonly PublicAnswer[];
  /** Whether its space is hidden from search engines. */
  readonly isHidden: boolean;
}

/** Public name of a person: the user name, never the full name. Erased people have none. */
const nameOf = ({ userName }: QuestionView['author']): string => userName || 'Deleted student';

/** Description for search results and previews. */
function descriptionOf({ excerpt, answerCount, subject, space }: QuestionView): string {
  const answers = answerCount === 1 ? '1 answer' : `${answerCount} answers`;
  const place = [subject.subjectName, space.name].filter(Boolean).join(', ');
  return excerpt === '' ? `A question in ${place} with ${answers}.` : withoutFormulaMarks(excerpt);
}

type JsonLd = Readonly<Record<string, unknown>>;

/** https://schema.org/QAPage. @param address URL of the page, if known */
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

/** Hash of the files in this folder, so that a new build invalidates cached pages. */
const PAGE_VERSION = versionOfCode(new URL('.', import.meta.url));

function versionOfCode(folder: URL): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name) && !/spec\.[jt]s$/.test(name));
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('base64url');
}

/** Question page for crawlers, link previews and readers without JavaScript. The app replaces the content once loaded. */
export function publicQuestionPage(
  shown: PublicQuestion,
  origin: string | undefined,
): ServedPage & { readonly served: ServedContent } {
  const address = origin && `${origin}/question/${shown.question._id}`;
  return {
    status: 200,
    isIndexed: !shown.isHidden,
    served: {
      validator: weakEtag(JSON.stringify([PAGE_VERSION, origin, shown], withoutMemberCount)),
      render: () => ({ head: headOf(shown, origin, address), content: contentOf(shown) }),
    },
  };
}

/** Leaves the member count, which changes often and is not shown, out of the validator. */
const withoutMemberCount = (key: string, value: unknown): unknown =>
  key === 'memberCount' ? undefined : value;

function headOf(shown: PublicQuestion, origin: string | undefined, address: string | undefined): string {
  const { question, isHidden } = shown;
  const title = `${question.title} | Nimo`;
  const description = descriptionOf(question);
  const [picture] = question.imageUrls;
  const image = origin !== undefined && picture?.startsWith('/') ? `${origin}${picture}` : undefined;
  const tags = [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    isHidden && meta('name', 'robots', 'noindex'),
    address && `<link rel="canonical" href="${escapeHtml(address)}">`,
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
    // A data block is not executed, so the CSP allows it inline.
    `<script type="application/ld+json">${toHtmlSafeJson(questionJsonLd(shown, address))}</script>`,
  ];
  return tags.filter(Boolean).join('\n    ');
}

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** JSON that is safe in HTML: escaping `<` rules out `</script>` and `<!--`. */
const toHtmlSafeJson = (value: object): string => JSON.stringify(value).replace(/</g, '\\u003c');

function contentOf({ question, comments, answers }: PublicQuestion): string {
  const place = [question.space.name, question.subject.subjectName, question.topic.topicName];
  return `<div class="served-page">
<header class="served-page-header"><a class="served-page-brand" href="/">Nimo</a><a class="served-page-login" href="/login">Log In</a></header>
<main class="served-page-main"><article>
<p class="served-page-place">${place.filter(Boolean).map(isolated).join(' · ')}</p>
<h1 dir="auto">${escapeHtml(question.title)}</h1>
${byline(question, question.acceptedAnswer ? ' · Solved' : '')}
${bodyOf(question.body)}${pictures(question)}
${commentList(comments)}
</article>
<section aria-label="Answers"><h2>${counted(question.answerCount, 'answer')}</h2>
${answers.map(answerOf).join('\n')}${moreAnswers(question.answerCount - answers.length)}
</section></main></div>`;
}

/** Isolates the text direction of a name within a line. */
const isolated = (name: string): string => `<bdi>${escapeHtml(name)}</bdi>`;

const moreAnswers = (count: number): string =>
  count > 0 ? `\n<p class="served-page-byline">${counted(count, 'more answer')} in the app</p>` : '';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

interface Signed {
  readonly author: Parameters<typeof nameOf>[0];
  readonly createdAt: string;
}

function byline(written: Signed & { readonly upvoteCount: number }, more = ''): string {
  const votes = counted(written.upvoteCount, 'upvote');
  return `<p class="served-page-byline">${signature(written)} · ${votes}${more}</p>`;
}

/** Date format of the app, in the language of the page. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const signature = ({ author, createdAt }: Signed): string =>
  `<b>${escapeHtml(nameOf(author))}</b> <time datetime="${escapeHtml(createdAt)}">${day.format(new Date(createdAt))}</time>`;

/** Bodies in the read models are already sanitised. */
const bodyOf = (html: string): string =>
  html === '' ? '' : `<div dir="auto">${withSpaces(withDirections(html))}</div>`;

/** Attached pictures, without those in the text. */
function pictures({
  body,
  imageUrls,
}: {
  readonly body: string;
  readonly imageUrls: readonly string[];
}): string {
  const shown = attachedPictures(body, imageUrls).map(
    (url, index) => `<li><img src="${escapeHtml(url)}" alt="Picture ${index + 1}" loading="lazy"></li>`,
  );
  return shown.length === 0 ? '' : `<ul class="served-page-pictures">${shown.join('')}</ul>`;
}

function answerOf({ answer, isAccepted, comments }: PublicAnswer): string {
  return `<article id="answer-${escapeHtml(answer._id)}">${byline(answer, isAccepted ? ' · Accepted' : '')}
${bodyOf(answer.body)}${pictures(answer)}
${commentList(comments)}</article>`;
}

function commentList(comments: readonly CommentView[]): string {
  const items = comments.map(
    (comment) => `<li>${signature(comment)} <div dir="auto">${escapeHtml(comment.words)}</div></li>`,
  );
  return items.length === 0 ? '' : `<ul class="served-page-comments">${items.join('')}</ul>`;
}
