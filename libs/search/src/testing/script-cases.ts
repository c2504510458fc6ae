/** Script or symbol, query, and the first title with its match in brackets. */
export type ScriptCase = readonly [string, string, string];

export const SCRIPTS: readonly ScriptCase[] = [
  ['Chinese', '过程', '光合作用的[过程]是什么'],
  ['part of two Chinese words', '合作', '光[合作]用的过程是什么'],
  ['Chinese that the dictionary splits differently', '生命', '研究[生命]起源'],
  ['a Chinese sentence', '研究生命意义', '[研究生命]起源'],
  ['a Chinese character', '源', '研究生命起[源]'],
  ['a Chinese name', '王小明', '谁是[王小明]的老师'],
  ['Japanese', '過程', '植物の光合成の[過程]は何ですか'],
  ['a Japanese sentence', '光合成の過程とは', '植物の[光合成]の[過程]は何ですか'],
  ['hiragana', 'ありがとう', 'どうも[ありがとう]の意味'],
  ['katakana', 'ガラス', '[ガラス]はなぜ透明なのか'],
  ['half-width katakana', 'ｶﾞﾗｽ', '[ガラス]はなぜ透明なのか'],
  ['Korean', '과정', '광합성의 [과정]은 무엇입니까'],
  ['part of a Korean word', '합성', '광[합성]의 과정은 무엇입니까'],
  ['Korean with another particle', '광합성은', '[광합성]의 과정은 무엇입니까'],
  ['Thai', 'สังเคราะห์', 'กระบวนการ[สังเคราะห์]ด้วยแสงคืออะไร'],
  ['a short Thai word', 'แสง', 'กระบวนการสังเคราะห์ด้วย[แสง]คืออะไร'],
  ['Lao', 'ຂະບວນການ', '[ຂະບວນການ]ສັງເຄາະແສງແມ່ນຫຍັງ'],
  ['Khmer', 'រស្មីសំយោគ', 'ដំណើរការ[រស្មីសំយោគ]គឺជាអ្វី'],
  ['Khmer with zero-width spaces', 'ដំណើរ\u200bការ', '[ដំណើរការ]រស្មីសំយោគគឺជាអ្វី'],
  ['Burmese', 'လုပ်ငန်း', 'အလင်းမှီစုဖွဲ့ခြင်း [လုပ်ငန်း]စဉ်'],
  ['Chinese next to Latin', '复制', 'DNA[复制]的步骤'],
  ['Latin next to Chinese', 'dna', '[DNA]复制的步骤'],
  ['Hindi', 'विज्ञान', '[विज्ञान] क्या है'],
  ['Bengali', 'সালোকসংশ্লেষণ', '[সালোকসংশ্লেষণ] কী'],
  ['Tamil', 'ஒளிச்சேர்க்கை', '[ஒளிச்சேர்க்கை] என்றால் என்ன'],
  ['Arabic', 'الضوئي', 'ما هو البناء [الضوئي]؟'],
  ['Arabic without vowel points and elongation', 'مدرسة', '[مَدْرَســة] كبيرة'],
  ['Persian without its joiner', 'میخواهم', '[می\u200cخواهم] ریاضی بدانم'],
  ['Hebrew without vowel points', 'שלום', 'מה זה [שָׁלוֹם]'],
  ['Greek without accents', 'φωτοσυνθεση', 'Τι είναι η [φωτοσύνθεση];'],
  ['Georgian', 'ფოტოსინთეზი', 'რა არის [ფოტოსინთეზი]'],
  ['Amharic', 'ፎቶሲንተሲስ', '[ፎቶሲንተሲስ] ምንድን ነው'],
  ['a word with soft hyphens', 'hyphenation', 'What is [hy\u00adphen\u00ada\u00adtion] for'],
  ['a query with a soft hyphen', 'typo\u00adgraphy', 'Who invented [typography]'],
  ['a word with zero-width characters', 'widthless', 'Is [wi\u2060dth\u200bless\ufeff] a word'],
  ['C++', 'C++', 'Pointers in [C++]'],
  ['C#', 'c#', 'Delegates in [C#]'],
  ['F#', 'F#', 'Currying in [F#]'],
  ['.NET', '.net', 'Is [.NET] a runtime'],
  ['a number', '1947', '[1947]. India became independent'],
];

/** Name, query, titles found with matches in brackets, best first, and titles not found. */
export type OrderCase = readonly [string, string, readonly string[], readonly string[]];

export const EXACT_FIRST: readonly OrderCase[] = [
  ['Hindi vowel signs', 'दान', ['[दान] का महत्व'], ['दीन का महत्व', 'दिन का महत्व']],
  ['a typed accent', 'côte', ['La [côte]', 'La [cote]', 'La [coté]'], []],
  ['a different accent', 'coté', ['La [coté]', 'La [cote]', 'La [côte]'], []],
  ['a Cyrillic accent', 'всё', ['[Всё] просто', '[Все] просто'], []],
  ['a letter and its symbols', 'C', ['The [C] language', '[C++] templates', '[C#] records'], []],
  ['a dot', '.NET', ['The [.NET] hosts', 'The [net] hosts'], []],
  ['a voiced kana', 'かき', ['[かき]を食べる'], ['がきを食べる']],
];
