/** Codes that people type: of mails, authenticator apps, recovery and claims. Pure. */

const SEPARATORS = /[\s\p{Cc}\p{Cf}\p{Pd}.,_\u2212\u30fc]/gu

/** The code without separators, in capitals and plain digits: `１２３ 456` is `123456`. */
export const cleanCode = (typed: string): string =>
  plainDigits(typed.normalize('NFKC').replace(SEPARATORS, '')).toUpperCase()

/** The keyboards of some languages type digits of their own. Each script has ten in a row, from zero. */
const plainDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, digit => String(digitValue(digit.codePointAt(0) ?? 0)))

function digitValue(digit: number): number {
  let zero = digit
  while (digit - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return digit - zero
}
