/** Texts of mail headers (RFC 2047). Pure. */
import { containsEncodedWord } from '@larder-dev/larder/kernel/internal'

/** Bytes of an encoded word: 75 characters at most, of which 12 are its frame. */
const WORD_BYTES = 45
const ASCII = /^[\x20-\x7e]*$/

/** A subject that looks encoded is encoded, so that readers see what was written. nodemailer encodes other characters. */
export function headerText(text: string): string {
  if (!containsEncodedWord(text) || !ASCII.test(text)) return text
  const words = text.match(new RegExp(`.{1,${WORD_BYTES}}`, 'g')) ?? []
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

/** nodemailer would quote an encoded name. The joiner makes it encode the whole name itself. */
export const headerName = (name: string): string =>
  containsEncodedWord(name) && ASCII.test(name) ? name.replaceAll('=?', '=\u2060?') : name
