/** Reduced clipboards of various programs: name, HTML, and the resulting body. */
export type Paste = readonly [name: string, clipboard: string, becomes: string];

const word = (body: string): string =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} @list l0:level1 {mso-level-text:;} --></style></head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const docs = (body: string): string =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1c2d3e4f-7fff-0b1a">${body}</b>`;
const docsText = (text: string, style = ''): string =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline;white-space:pre-wrap;${style}">${text}</span>`;
const wordItem = (mark: string, words: string, level = 1): string =>
  `<p class=MsoListParagraph style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;
/** Word for the web, which wraps each run of text twice and ends each paragraph with a space. */
const onlineText = (words: string, style = ''): string =>
  `<span data-contrast="auto" xml:lang="EN-GB" lang="EN-GB" class="TextRun SCXW1 BCX0" style="font-size:11pt;font-family:Aptos,sans-serif;${style}"><span class="NormalTextRun SCXW1 BCX0">${words}</span></span>`;
const online = (body: string): string =>
  `<p class="Paragraph SCXW1 BCX0" style="margin:0;font-weight:normal;font-style:normal;vertical-align:baseline">${body}<span class="EOP SCXW1 BCX0" data-ccp-props="{}">&nbsp;</span></p>`;
const onlineBox = (body: string): string => `<div class="OutlineElement Ltr SCXW1 BCX0">${body}</div>`;
const vsCode = (lines: string): string =>
  `<meta charset='utf-8'><div style="color: #cccccc;background-color: #1f1f1f;font-family: Menlo, Monaco, 'Courier New', monospace;font-weight: normal;font-size: 12px;line-height: 18px;white-space: pre;">${lines}</div>`;
const katex = (tex: string): string =>
  `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">x</span></span></span>`;

/** As copied by Chromium: without hidden elements such as the annotation, and with computed styles. */
const copied = (math: string, attributes = ''): string =>
  `<span class="katex" style="position: relative; white-space: normal;"><span class="katex-mathml" style="clip-path: inset(50%); position: absolute;"><math xmlns="http://www.w3.org/1998/Math/MathML"${attributes}><semantics>${math}</semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base" style="display: inline-block;"><span class="strut" style="display: inline-block; height: 0.8141em;"></span><span class="mord"><span class="mord mathnormal" style="font-style: italic;">x</span><span class="msupsub">2</span></span></span></span></span>`;
const square = '<mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>';
const half = '<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow>';
const chatStyle =
  'color: rgb(0, 0, 0); font-family: &quot;Times New Roman&quot;; white-space: pre-wrap; display: inline !important;';

export const pastes: readonly Paste[] = [
  [
    'Word: formatted text',
    word(`<p class=MsoNormal>One <b>two</b> <i>three</i><o:p></o:p></p>`),
    '<p>One <strong>two</strong> <em>three</em></p>',
  ],
  [
    'Word: bullets',
    word(wordItem('·', 'Salt') + wordItem('·', 'Pepper')),
    '<ul><li><p>Salt</p></li><li><p>Pepper</p></li></ul>',
  ],
  [
    'Word: numbers',
    word(wordItem('1.', 'First') + wordItem('2.', 'Second')),
    '<ol><li><p>First</p></li><li><p>Second</p></li></ol>',
  ],
  [
    'Word: numbers from 3',
    word(wordItem('3.', 'Third') + wordItem('4.', 'Fourth')),
    '<ol start="3"><li><p>Third</p></li><li><p>Fourth</p></li></ol>',
  ],
  [
    'Word: a nested list',
    word(
      wordItem('·', 'Metals') + wordItem('o', 'Iron', 2) + wordItem('o', 'Gold', 2) + wordItem('·', 'Gases'),
    ),
    '<ul><li><p>Metals</p><ul><li><p>Iron</p></li><li><p>Gold</p></li></ul></li><li><p>Gases</p></li></ul>',
  ],
  [
    'Word: a lettered list',
    word(wordItem('a)', 'Left') + wordItem('b)', 'Right')),
    '<ol><li><p>Left</p></li><li><p>Right</p></li></ol>',
  ],
  [
    'Word: a list between paragraphs',
    word(
      `<p class=MsoNormal>Before<o:p></o:p></p>${wordItem('·', 'Within')}<p class=MsoNormal>After<o:p></o:p></p>`,
    ),
    '<p>Before</p><ul><li><p>Within</p></li></ul><p>After</p>',
  ],
  [
    'Word: a table',
    word(
      `<table class=MsoTableGrid border=1><tr><td style='border:solid'><p class=MsoNormal><b>a</b><o:p></o:p></p></td><td><p class=MsoNormal>b<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>c<o:p></o:p></p></td><td><p class=MsoNormal>d<o:p></o:p></p></td></tr></table>`,
    ),
    '<table><tbody><tr><td><p><strong>a</strong></p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p>d</p></td></tr></tbody></table>',
  ],
  [
    'Word: a heading',
    word(`<h1 style='mso-list:none'>Cells<o:p></o:p></h1><p class=MsoNormal>Text<o:p></o:p></p>`),
    '<h1>Cells</h1><p>Text</p>',
  ],
  [
    'Word: subscript and superscript',
    word(`<p class=MsoNormal>H<sub>2</sub>O and m<sup>2</sup><o:p></o:p></p>`),
    '<p>H<sub>2</sub>O and m<sup>2</sup></p>',
  ],
  [
    'Word: a link',
    word(`<p class=MsoNormal><a href="https://example.org/a">Here</a><o:p></o:p></p>`),
    '<p><a href="https://example.org/a" rel="noopener noreferrer nofollow">Here</a></p>',
  ],
  [
    'Word: hidden text',
    word(`<p class=MsoNormal>Seen<span style='mso-hide:all'>unseen</span><o:p></o:p></p>`),
    '<p>Seen</p>',
  ],
  [
    'Word for the web: bold text and a link',
    onlineBox(
      online(
        `${onlineText('So ', '')}${onlineText('bold', 'font-weight:bold')}${onlineText(' and ')}<a class="Hyperlink SCXW1 BCX0" href="https://example.org/a" target="_blank" rel="noreferrer noopener">${onlineText('here', 'text-decoration:underline')}</a>`,
      ),
    ),
    '<p>So <strong>bold</strong> and <a href="https://example.org/a" rel="noopener noreferrer nofollow">here</a></p>',
  ],
  [
    'Word for the web: bullets',
    `<div class="ListContainerWrapper SCXW1 BCX0"><ul class="BulletListStyle1 SCXW1 BCX0" role="list"><li data-leveltext="" data-font="Symbol" data-listid="1" aria-level="1" role="listitem" class="OutlineElement Ltr SCXW1 BCX0">${online(onlineText('Salt'))}</li></ul></div><div class="ListContainerWrapper SCXW1 BCX0"><ul class="BulletListStyle1 SCXW1 BCX0" role="list"><li data-leveltext="" data-listid="1" aria-level="1" role="listitem" class="OutlineElement Ltr SCXW1 BCX0">${online(onlineText('Pepper'))}</li></ul></div>`,
    '<ul><li><p>Salt</p></li><li><p>Pepper</p></li></ul>',
  ],
  [
    'Word for the web: numbers with a nested list',
    ['1', '2']
      .map(
        (level, at) =>
          `<div class="ListContainerWrapper SCXW1 BCX0"><ol class="NumberListStyle1 SCXW1 BCX0" role="list" start="${at === 0 ? 3 : 1}"><li data-aria-level="${level}" aria-level="${level}" role="listitem" class="OutlineElement Ltr SCXW1 BCX0">${online(onlineText(at === 0 ? 'Outer' : 'Inner'))}</li></ol></div>`,
      )
      .join(''),
    '<ol start="3"><li><p>Outer</p><ol><li><p>Inner</p></li></ol></li></ol>',
  ],
  [
    'Word: a list of two kinds, with bold text',
    word(wordItem('1.', '<b>First</b> one') + wordItem('·', 'Within', 2) + wordItem('2.', 'Second')),
    '<ol><li><p><strong>First</strong> one</p><ul><li><p>Within</p></li></ul></li><li><p>Second</p></li></ol>',
  ],
  [
    'Docs: plain text',
    docs(`<p dir="ltr" style="line-height:1.38">${docsText('Plain')}</p>`),
    '<p>Plain</p>',
  ],
  [
    'Docs: bold, italic, underlined, struck',
    docs(
      `<p dir="ltr">${docsText('a', 'font-weight:700')}${docsText('b', 'font-style:italic')}${docsText('c', 'text-decoration:underline')}${docsText('d', 'text-decoration:line-through')}</p>`,
    ),
    '<p><strong>a</strong><em>b</em><u>c</u><s>d</s></p>',
  ],
  [
    'Docs: subscript and superscript',
    docs(
      `<p dir="ltr">${docsText('CO')}<span style="font-size:0.6em;vertical-align:sub">2</span>${docsText(' and x')}<span style="font-size:0.6em;vertical-align:super">3</span></p>`,
    ),
    '<p>CO<sub>2</sub> and x<sup>3</sup></p>',
  ],
  [
    'Docs: a nested list',
    docs(
      `<ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsText('Outer')}</p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation">${docsText('Inner')}</p></li></ul></ul>`,
    ),
    '<ul><li><p>Outer</p><ul><li><p>Inner</p></li></ul></li></ul>',
  ],
  [
    'Docs: a numbered list',
    docs(
      `<ol><li dir="ltr" aria-level="1"><p dir="ltr">${docsText('One')}</p></li><li dir="ltr" aria-level="1"><p dir="ltr">${docsText('Two')}</p></li></ol>`,
    ),
    '<ol><li><p>One</p></li><li><p>Two</p></li></ol>',
  ],
  [
    'Docs: a table',
    docs(
      `<div dir="ltr" align="left"><table style="border:none"><colgroup><col width="100"/><col/></colgroup><tbody><tr style="height:0pt"><td style="border:solid"><p dir="ltr">${docsText('x')}</p></td><td><p dir="ltr">${docsText('y')}</p></td></tr></tbody></table></div>`,
    ),
    '<table><tbody><tr><td><p>x</p></td><td><p>y</p></td></tr></tbody></table>',
  ],
  [
    'Docs: a heading, a blank line and a link',
    docs(
      `<h2 dir="ltr" style="line-height:1.38;margin-top:18pt">${docsText('Acids', 'font-size:16pt')}</h2><br><p dir="ltr">${docsText('See ')}<a href="https://example.org/a" style="text-decoration:none"><span style="font-size:11pt;color:#1155cc;font-weight:400;text-decoration:underline;white-space:pre-wrap">here</span></a>${docsText('.')}</p>`,
    ),
    '<h2>Acids</h2><p>See <a href="https://example.org/a" rel="noopener noreferrer nofollow">here</a>.</p>',
  ],
  [
    'Docs: tasks with checkboxes',
    docs(
      `<ul style="margin-top:0;padding-inline-start:28px"><li dir="ltr" role="checkbox" aria-checked="true" aria-level="1" style="list-style-type:none"><img src="data:image/png;base64,iVBORw0KGgo=" width="17.6" height="17.6" alt="checked" aria-roledescription="checkbox"><p dir="ltr" role="presentation" style="display:inline-block;vertical-align:top">${docsText('Done')}</p></li></ul>`,
    ),
    '<ul><li><p>Done</p></li></ul>',
  ],
  [
    'Docs: boxed text with a tab',
    docs(
      `<p dir="ltr">${docsText('a')}<span class="Apple-tab-span" style="white-space:pre">\t</span>${docsText('b', 'font-weight:700;font-style:italic')}</p>`,
    ),
    '<p>a&nbsp;&nbsp;&nbsp; <strong><em>b</em></strong></p>',
  ],
  [
    'Docs: code by its font',
    docs(
      `<p dir="ltr">${docsText('Call ')}<span style="font-family:'Courier New',monospace;white-space:pre-wrap">run()</span></p>`,
    ),
    '<p>Call <code spellcheck="false">run()</code></p>',
  ],
  [
    'a page: a heading and a list',
    '<h2 id="x" class="title">Acids</h2><ul class="nav"><li>Strong</li><li>Weak</li></ul>',
    '<h2>Acids</h2><ul><li><p>Strong</p></li><li><p>Weak</p></li></ul>',
  ],
  [
    'a page: a table with a header',
    '<table><thead><tr><th>Planet</th><th>Moons</th></tr></thead><tbody><tr><td>Mars</td><td>2</td></tr></tbody></table>',
    '<table><tbody><tr><th><p>Planet</p></th><th><p>Moons</p></th></tr><tr><td><p>Mars</p></td><td><p>2</p></td></tr></tbody></table>',
  ],
  [
    'a page: cells with spans, and a caption',
    '<table><caption>Moons</caption><tr><th colspan="2">Planets</th></tr><tr><td rowspan="2">Mars</td><td>Phobos</td></tr><tr><td>Deimos</td></tr></table>',
    '<p>Moons</p><table><tbody><tr><th colspan="2"><p>Planets</p></th></tr><tr><td rowspan="2"><p>Mars</p></td><td><p>Phobos</p></td></tr><tr><td><p>Deimos</p></td></tr></tbody></table>',
  ],
  [
    'Excel: cells with a list and a formula',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table border=0><col width=64><tr height=19><td class=xl65 align=right>1,5</td><td>$x^2$</td></tr><tr><td colspan=2><ul><li>a</li></ul></td></tr></table></body></html>',
    '<table><tbody><tr><td><p>1,5</p></td><td><p><code class="nimo-math">x^2</code></p></td></tr><tr><td colspan="2"><ul><li><p>a</p></li></ul></td></tr></tbody></table>',
  ],
  [
    'an email: a layout table',
    '<table role="presentation"><tr><td><p>Dear Asha,</p><p>see you.</p></td></tr></table>',
    '<p>Dear Asha, see you.</p>',
  ],
  [
    'a page: a nested table',
    '<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>',
    '<table><tbody><tr><td><p>a</p></td><td><p>b | c</p></td></tr></tbody></table>',
  ],
  [
    'a page: an image, a button, a script',
    '<p>Look <img src="https://example.org/a.png" onerror="x()"><button>Buy</button><script>x()</script>here</p>',
    '<p>Look here</p>',
  ],
  ['a page: a hostile link', '<p><a href="javascript:alert(1)">Press</a> me</p>', '<p>Press me</p>'],
  [
    'a page: colours and sizes',
    '<p style="color:red;font-size:40px"><span style="background:yellow">Loud</span></p>',
    '<p>Loud</p>',
  ],
  [
    'GitHub: code',
    '<div class="highlight highlight-source-python"><pre><span class="pl-k">def</span> <span class="pl-en">f</span>():\n    <span class="pl-k">return</span> 1\n</pre></div>',
    '<pre><code class="language-python">def f():\n    return 1</code></pre>',
  ],
  [
    'Stack Overflow: code',
    '<pre class="lang-js s-code-block"><code class="hljs language-javascript"><span class="hljs-keyword">let</span> a = 1;</code></pre>',
    '<pre><code class="language-javascript">let a = 1;</code></pre>',
  ],
  [
    'Visual Studio Code: code',
    `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: 'Fira Code', monospace;font-size: 14px;white-space: pre;"><div><span style="color: #569cd6;">if</span> x:</div><div>    y = <span>"&lt;b&gt;"</span></div></div>`,
    '<pre><code>if x:\n    y = "&lt;b&gt;"</code></pre>',
  ],
  [
    'Visual Studio Code: a blank line',
    vsCode(
      '<div><span style="color: #569cd6;">def</span><span style="color: #cccccc;"> </span><span style="color: #dcdcaa;">f</span>():</div><br><div>    <span style="color: #c586c0;">return</span> <span style="color: #b5cea8;">1</span></div>',
    ),
    '<pre><code>def f():\n\n    return 1</code></pre>',
  ],
  [
    'Visual Studio Code: part of a line',
    vsCode('<div><span style="color: #9cdcfe;">x</span> <span style="color: #d4d4d4;">**</span> 2</div>'),
    '<pre><code>x ** 2</code></pre>',
  ],
  [
    'Visual Studio Code: HTML and formula characters',
    vsCode('<div>echo "$a &amp;&amp; $b" &lt; in.txt</div><div># <span>**no** bold</span></div>'),
    '<pre><code>echo "$a &amp;&amp; $b" &lt; in.txt\n# **no** bold</code></pre>',
  ],
  [
    'IntelliJ IDEA: code',
    `<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#ffffff;color:#080808;font-family:'JetBrains Mono',monospace;font-size:9.8pt;"><span style="color:#0033b3;">if </span>x &lt; <span style="color:#1750eb;">2</span>:<br>    <span style="color:#000080;">print</span>(x)</pre></body></html>`,
    '<pre><code>if x &lt; 2:\n    print(x)</code></pre>',
  ],
  [
    'a terminal: monospaced lines',
    `<div style="font-family: monospace; white-space: pre-wrap;">$ ls\n  a  b</div><p>and</p><span style="font-family: 'DejaVu Sans Mono', monospace; white-space: pre;">c\n\td</span>`,
    '<pre><code>$ ls\n  a  b</code></pre><p>and</p><pre><code>c\n\td</code></pre>',
  ],
  [
    'a page with KaTeX',
    `<p>So ${katex('x^2')} it is</p>`,
    '<p>So <code class="nimo-math">x^2</code> it is</p>',
  ],
  [
    'a page with KaTeX, display mode',
    `<p>So</p><span class="katex-display">${katex('\\int_0^1 x')}</span>`,
    '<p>So</p><pre class="nimo-math">\\int_0^1 x</pre>',
  ],
  [
    'Nimo: an inline formula, by Chromium',
    `<span style="white-space: normal;">Let </span><span class="_formula_1" data-source="x^2+1" dir="ltr" data-drawn="">${copied(square)}</span><span style="white-space: normal;"> be real</span>`,
    '<p>Let <code class="nimo-math">x^2+1</code> be real</p>',
  ],
  [
    'Nimo: a block formula, by Chromium',
    `<p>So</p><span class="_formula_1" data-source="\\tfrac12" dir="ltr" data-block="" data-drawn=""><span class="katex-display" style="display: block;">${copied(half, ' display="block"')}</span></span><p>end</p>`,
    '<p>So</p><pre class="nimo-math">\\tfrac12</pre><p>end</p>',
  ],
  [
    'a page: a source attribute without a formula',
    `<div data-source="feed"><p>So ${copied(square)} is</p></div>`,
    '<p>So <code class="nimo-math">x^2</code> is</p>',
  ],
  [
    'a page with KaTeX, by Chromium',
    `<p>Let ${copied(square)} be real</p><span class="katex-display" style="display: block;">${copied(half, ' display="block"')}</span>`,
    '<p>Let <code class="nimo-math">x^2</code> be real</p><pre class="nimo-math">\\frac{1}{2}</pre>',
  ],
  [
    'a page with MathML',
    '<p>Let <math><msup><mi>x</mi><mn>2</mn></msup></math> be real</p><math display="block"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    '<p>Let <code class="nimo-math">x^2</code> be real</p><pre class="nimo-math">\\frac{1}{2}</pre>',
  ],
  [
    'a page with MathJax 3, by Firefox',
    '<p>Let <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D465"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> be real</p>',
    '<p>Let <code class="nimo-math">x^2</code> be real</p>',
  ],
  [
    'a page with MathJax 3, by Chromium',
    '<p>Let <mjx-container class="MathJax" jax="CHTML" tabindex="0"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-msup><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi><mjx-script><mjx-mn class="mjx-n" size="s"><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-script></mjx-msup></mjx-math></mjx-container> be real</p><mjx-container class="MathJax" jax="CHTML" display="true"><mjx-math display="true" class="MJX-TEX" aria-hidden="true"><mjx-mfrac><mjx-frac type="d"><mjx-num><mjx-nstrut type="d"></mjx-nstrut><mjx-mn class="mjx-n"><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-num><mjx-dbox><mjx-dtable><mjx-line type="d"></mjx-line><mjx-row><mjx-den><mjx-dstrut type="d"></mjx-dstrut><mjx-mn class="mjx-n"><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math></mjx-container>',
    '<p>Let <code class="nimo-math">x^2</code> be real</p><pre class="nimo-math">\\frac{1}{2}</pre>',
  ],
  [
    'a page with MathJax 3 and SVG output, by Chromium',
    '<span>Let </span><mjx-container class="MathJax" jax="SVG"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -833.9 1008.6 844.9" aria-hidden="true"><defs><path id="MJX-1-TEX-I-1D465" d="M52 289Z"></path></defs><g><g data-mml-node="math"><g data-mml-node="msubsup"><g data-mml-node="mi"><use data-c="1D465" xlink:href="#MJX-1-TEX-I-1D465"></use></g><g data-mml-node="mo" transform="translate(605,363) scale(0.707)"><g data-c="2033"><use data-c="2032"></use><use data-c="2032"></use></g></g><g data-mml-node="mn" transform="translate(605,-247) scale(0.707)"><use data-c="31" xlink:href="#MJX-2-TEX-N-31"></use></g></g></g></g></svg></mjx-container><span> be real</span>',
    '<p>Let <code class="nimo-math">x_1\'\'</code> be real</p>',
  ],
  [
    'a page with MathJax 3: limits, roots, letters and tables',
    `<mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-munderover limits="false"><mjx-mo class="mjx-sop"><mjx-c class="mjx-c2211 TEX-S1"></mjx-c></mjx-mo><mjx-script><mjx-texatom size="s"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D45B TEX-I"></mjx-c></mjx-mi></mjx-texatom><mjx-spacer></mjx-spacer><mjx-texatom size="s"><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D456 TEX-I"></mjx-c></mjx-mi><mjx-mo class="mjx-n"><mjx-c class="mjx-c3D"></mjx-c></mjx-mo><mjx-mn class="mjx-n"><mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-texatom></mjx-script></mjx-munderover><mjx-mroot><mjx-root><mjx-mn class="mjx-n" size="ss"><mjx-c class="mjx-c33"></mjx-c></mjx-mn></mjx-root><mjx-sqrt><mjx-surd><mjx-mo class="mjx-n"><mjx-c class="mjx-c221A"></mjx-c></mjx-mo></mjx-surd><mjx-box><mjx-mover><mjx-over><mjx-mo class="mjx-n"><mjx-c class="mjx-c20D7 TEX-V"></mjx-c></mjx-mo></mjx-over><mjx-base><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D463 TEX-I"></mjx-c></mjx-mi></mjx-base></mjx-mover></mjx-box></mjx-sqrt></mjx-mroot><mjx-mi class="mjx-ds mjx-b"><mjx-c class="mjx-c211D TEX-A"></mjx-c></mjx-mi><mjx-mrow><mjx-mo class="mjx-s3"><mjx-c class="mjx-c28 TEX-S3"></mjx-c></mjx-mo><mjx-mtable><mjx-table><mjx-itable><mjx-mtr><mjx-mtd><mjx-mi class="mjx-n"><mjx-c class="mjx-c6B"></mjx-c><mjx-c class="mjx-c67"></mjx-c></mjx-mi><mjx-tstrut></mjx-tstrut></mjx-mtd></mjx-mtr></mjx-itable></mjx-table></mjx-mtable><mjx-mo class="mjx-s3"><mjx-c class="mjx-c29 TEX-S3"></mjx-c></mjx-mo></mjx-mrow></mjx-math></mjx-container>`,
    '<p><code class="nimo-math">\\sum_{i=1}^n\\sqrt[3]{\\vec{v}}\\mathbb{R}\\begin{pmatrix}\\mathrm{kg}\\end{pmatrix}</code></p>',
  ],
  [
    'a page with MathJax 2, by Chromium',
    '<p>Let <span class="MathJax" data-mathml="&lt;math xmlns=&quot;http://www.w3.org/1998/Math/MathML&quot;&gt;&lt;msup&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/msup&gt;&lt;/math&gt;"><nobr><span class="math"><span class="mi">x</span><span class="mn">2</span></span></nobr></span> be real</p>',
    '<p>Let <code class="nimo-math">x^2</code> be real</p>',
  ],
  [
    'Wikipedia: a formula, by Chromium',
    '<p>Area <span class="mwe-math-element mwe-math-element-inline"><img src="https://wikimedia.org/x.svg" class="mwe-math-fallback-image-inline mw-invert" aria-hidden="true" alt="{\\displaystyle \\pi r^{2}}"></span>.</p>',
    '<p>Area <code class="nimo-math">\\pi r^{2}</code>.</p>',
  ],
  [
    'Wikipedia: a formula',
    '<p>Area <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="{\\displaystyle \\pi r^{2}}"><semantics><mrow></mrow><annotation encoding="application/x-tex">{\\displaystyle \\pi r^{2}}</annotation></semantics></math></span><img src="https://wikimedia.org/x.svg" class="mwe-math-fallback-image-inline" alt="{\\displaystyle \\pi r^{2}}"></span>.</p>',
    '<p>Area <code class="nimo-math">\\pi r^{2}</code>.</p>',
  ],
  [
    'a page: dollars around formulas',
    '<p>If $a+b$ then it costs $5 or $6.</p>',
    '<p>If <code class="nimo-math">a+b</code> then it costs $5 or $6.</p>',
  ],
  [
    'a page: dollars in code',
    '<p><code>$x = $y</code></p>',
    '<p><code spellcheck="false">$x = $y</code></p>',
  ],
  [
    'a chat: lines of a message preserved by its style',
    `<span style="${chatStyle}">one\n    two\n\nthree</span>`,
    '<p>one<br>&nbsp;&nbsp;&nbsp; two<br><br>three</p>',
  ],
  [
    'a chat: messages, and text in a span',
    '<div class="m" style="white-space-collapse: preserve;"><span>one\n two  three</span></div>\n<div class="m" style="white-space: break-spaces;">\tfour\n</div>',
    '<p>one<br>&nbsp;two&nbsp; three</p><p>&nbsp;&nbsp;&nbsp; four</p>',
  ],
  [
    'a chat: lines in spans, and a multi-line formula',
    '<div style="white-space: pre-wrap;"><span>one\n</span><span>two $$\na\n$$\n</span></div>',
    '<p>one<br>two </p><pre class="nimo-math">a</pre>',
  ],
  [
    'a page: lines preserved by its style, without their spaces',
    '<p style="white-space: pre-line;">one\ntwo  three</p><p style="white-space: normal;">four\nfive</p>',
    '<p>one<br>two three</p><p>four five</p>',
  ],
  [
    'a page: blocks in a container that preserves lines',
    '<div style="white-space: pre-wrap;">\n<p>one</p>\n<p style="white-space: normal;">two\nthree</p>\n</div>',
    '<p>one</p><p>two three</p>',
  ],
  [
    'a page: containers with only text',
    '<address>a</address>b<header>c</header><main>d</main><footer>e</footer><aside>f</aside><nav>g</nav><details open=""><summary>h</summary>i</details><center>j</center>k',
    '<p>a</p><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p><p>g</p><p>h</p><p>i</p><p>j</p><p>k</p>',
  ],
  [
    'a page: containers in an item and in a cell',
    '<ul><li><div>a</div><div>b</div></li></ul><table><tr><td><header>c</header>d</td><td>e</td></tr></table>',
    '<ul><li><p>a</p><p>b</p></li></ul><table><tbody><tr><td><p>c</p><p>d</p></td><td><p>e</p></td></tr></tbody></table>',
  ],
  [
    'a chat: non-breaking spaces',
    '<p>a&nbsp;b</p><div>c</div><div>d</div>',
    '<p>a&nbsp;b</p><p>c</p><p>d</p>',
  ],
];

/** Plain text in Markdown. */
export const markdownPastes: readonly Paste[] = [
  [
    'a fence with its language',
    '```python\nprint("<b>")\n\n# no heading\n```',
    '<pre><code class="language-python">print("&lt;b&gt;")\n\n# no heading</code></pre>',
  ],
  [
    'a fence with a short name',
    'Try\n```js\nlet a;\n```\nnow',
    '<p>Try</p><pre><code class="language-javascript">let a;</code></pre><p>now</p>',
  ],
  [
    'a formula on its own line',
    'So\n\n$$\\frac{1}{2}$$\n\nand $x_1$.',
    '<p>So</p><pre class="nimo-math">\\frac{1}{2}</pre><p>and <code class="nimo-math">x_1</code>.</p>',
  ],
  ['a multi-line formula', '$$\na\n+ b\n$$', '<pre class="nimo-math">a\n+ b</pre>'],
  [
    'a nested list',
    '- a\n  - b\n  - c\n- d',
    '<ul><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ul>',
  ],
  [
    'an ordered list',
    '1. **one**\n2. *two*',
    '<ol><li><p><strong>one</strong></p></li><li><p><em>two</em></p></li></ol>',
  ],
  [
    'headings and a quote',
    '# Title\n\n> said\n> she\n\n---\n\nEnd',
    '<h1>Title</h1><blockquote><p>said<br>she</p></blockquote><hr><p>End</p>',
  ],
  [
    'code in an item, with a blank line in it',
    '1. First:\n   ```python\n   for i in x:\n       print(i)\n\n   x\n   ```\n2. Then',
    '<ol><li><p>First:</p><pre><code class="language-python">for i in x:\n    print(i)\n\nx</code></pre></li><li><p>Then</p></li></ol>',
  ],
  [
    'code that is indented less than its item',
    '1. First:\n   ```\nif x:\n    y\n   ```\n2. Then',
    '<ol><li><p>First:</p><pre><code>if x:\n    y</code></pre></li><li><p>Then</p></li></ol>',
  ],
  [
    'an item with lines, blank lines and a nested list',
    '- a\n- b\n\n  more\n\n  1. c\n  2. d\n\nend',
    '<ul><li><p>a</p></li><li><p>b</p><p>more</p><ol><li><p>c</p></li><li><p>d</p></li></ol></li></ul><p>end</p>',
  ],
  ['an unclosed fence', '```\nx\n\n$$\n\n**a**', '<p>```<br>x</p><p>$$</p><p><strong>a</strong></p>'],
  [
    'a heading that ends with a number sign',
    '## Learning C#\n\n## F# ##\n\n## ##\n\nEnd',
    '<h2>Learning C#</h2><h2>F#</h2><h2>##</h2><p>End</p>',
  ],
  [
    'dashes next to pluses, which are minuses',
    '**Sum**\n+ cheap\n+ fast\n\n- slow\n- ugly',
    '<p><strong>Sum</strong><br>+ cheap<br>+ fast</p><p>- slow<br>- ugly</p>',
  ],
  [
    'a list next to a fence with a diff',
    '```diff\n- a\n+ b\n```\n- c\n- d',
    '<pre><code class="language-diff">- a\n+ b</code></pre><ul><li><p>c</p></li><li><p>d</p></li></ul>',
  ],
  [
    'stars next to dashes',
    '* a\n* b\n- c\n- d',
    '<ul><li><p>a</p></li><li><p>b</p></li></ul><p></p><ul><li><p>c</p></li><li><p>d</p></li></ul>',
  ],
  [
    'an ordered list with a gap',
    '1. a\n2. b\n4. c\n5. d',
    '<ol><li><p>a</p></li><li><p>b</p></li></ol><p></p><ol start="4"><li><p>c</p></li><li><p>d</p></li></ol>',
  ],
  [
    'ordered items with dashes between them',
    '1. a\n- b\n- c\n2. d',
    '<ol><li><p>a</p></li></ol><ul><li><p>b</p></li><li><p>c</p></li></ul><ol start="2"><li><p>d</p></li></ol>',
  ],
  [
    'items all numbered 1',
    '**a**\n1. b\n1. c',
    '<p><strong>a</strong></p><ol><li><p>b</p></li><li><p>c</p></li></ol>',
  ],
  [
    'a link to a URL with parentheses',
    '[f](https://en.wikipedia.org/wiki/Function_(mathematics)).',
    '<p><a href="https://en.wikipedia.org/wiki/Function_(mathematics)" rel="noopener noreferrer nofollow">f</a>.</p>',
  ],
  [
    'bars in code and formulas, and short rows',
    '| a | b |\n|---|---|\n| `x|y` | $|x|$ |\n| \\| |',
    '<table><tbody><tr><th><p>a</p></th><th><p>b</p></th></tr><tr><td><p><code spellcheck="false">x|y</code></p></td><td><p><code class="nimo-math">|x|</code></p></td></tr><tr><td><p>|</p></td><td><p></p></td></tr></tbody></table>',
  ],
  [
    'a table',
    '| a | b |\n|---|:-:|\n| 1 | `2` |',
    '<table><tbody><tr><th><p>a</p></th><th><p>b</p></th></tr><tr><td><p>1</p></td><td><p><code spellcheck="false">2</code></p></td></tr></tbody></table>',
  ],
  [
    'links, code and strikethrough',
    'See [here](https://example.org/x), `a < b` and ~~not~~ this',
    '<p>See <a href="https://example.org/x" rel="noopener noreferrer nofollow">here</a>, <code spellcheck="false">a &lt; b</code> and <s>not</s> this</p>',
  ],
];

export const barePastes: readonly string[] = [
  'a * b * c = d',
  '2 - 1\n3 - 2 dashes',
  'It costs $5 or $6',
  'snake_case_name and __init__',
  'a\nb\n\nc',
  '+ cheap\n+ fast\n- slow\n- ugly',
  '- old line\n- old two\n+ new line\n  as it was',
];

/** Formulas at school level. */
export const drawnFormulas: readonly string[] = [
  String.raw`x^2`,
  String.raw`\frac{-b\pm\sqrt{b^2-4ac}}{2a}`,
  String.raw`\sqrt[3]{x+1}`,
  String.raw`\sum_{i=1}^{n} i^2`,
  String.raw`\lim_{x\to 0}\frac{\sin x}{x}=1`,
  String.raw`\int_0^1 x dx`,
  String.raw`\begin{pmatrix}1&2\\3&4\end{pmatrix}`,
  String.raw`f(x)=\begin{cases}x&x>0\\-x&\text{if } x<0\end{cases}`,
  String.raw`\det\begin{vmatrix}a&b\\c&d\end{vmatrix}`,
  String.raw`\begin{aligned}a&=b\\c&=d\end{aligned}`,
  String.raw`\vec{v}\cdot\overrightarrow{AB}`,
  String.raw`\bar{x}\hat{y}\dot{z}\overline{AB}\tilde{a}`,
  String.raw`\alpha+\beta\le\Gamma`,
  String.raw`\text{speed}=\frac{\text{distance}}{\text{time}}`,
  String.raw`a\ne b\Rightarrow a\in\mathbb{R}`,
  String.raw`\mathbf{F}=m\mathbf{a}+\mathrm{kg}`,
  String.raw`\left(\frac{a}{b}\right)^n+\left|\frac{a}{b}\right|+|x|`,
  String.raw`\binom{n}{k}`,
  String.raw`\log_2 8=3`,
  String.raw`f'(x)+x''`,
  String.raw`\{1,2,\dots,n\}`,
  String.raw`\underbrace{a+b}_{n}`,
  String.raw`{}^{14}_{6}\mathrm{C}`,
  String.raw`a\xrightarrow{k}b`,
  String.raw`\max_{x} f(x)`,
  String.raw`\overset{!}{=}`,
  String.raw`50\% \$5 \# \_ a \& b`,
  String.raw`\boxed{a}+\cancel{b}`,
  String.raw`\text{a}\ \text{b}`,
  String.raw`\langle x,y\rangle\lfloor x\rfloor`,
  String.raw`e^{i\pi}+1=0`,
];
