/** The form in which searches compare texts: `Überweisung` and `uberweisung` are the same. Pure. */

/** Accents, vowel signs that are usually left out, and characters that aren't shown. */
export const IGNORED =
  '\\u00ad\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u061c\\u0640' +
  '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
  '\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff'

/** Letters without an accent that Unicode knows, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  '‘': "'",
  '’': "'",
  ʼ: "'",
}

const [MARKS, REPLACED] = [new RegExp(`[${IGNORED}]+`, 'g'), new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')]

/**
 * Lower case, without accents and differences of width: `Crème Brûlée` → `creme brulee`, `Straße` → `strasse`. The
 * function `larder_folded` of the database returns the same.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(REPLACED, letter => LETTERS[letter] ?? letter)
