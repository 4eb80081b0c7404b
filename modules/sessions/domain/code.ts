/** Session codes such as `K7M-2QX-9TB`, short enough to read aloud. A code is not a credential. */
import { randomBytes } from './random.ts'

/** Excludes vowels, so that codes contain no words, and the lookalikes 0 O 1 I L U. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 9
/** Bytes from this value on are discarded: they would make the first letters more likely than the others. */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length)
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

export const CODE_PATTERN = `^[${ALPHABET}]{3}-[${ALPHABET}]{3}-[${ALPHABET}]{3}$`

export function generateCode(random: (size: number) => Uint8Array = randomBytes): string {
  let letters = ''
  while (letters.length < LENGTH)
    for (const byte of random(2 * LENGTH))
      if (byte < UNBIASED_LIMIT && letters.length < LENGTH) letters += ALPHABET[byte % ALPHABET.length]
  return formatCode(letters)
}

/** Normalizes a typed code: any case, with or without hyphens and spaces. Undefined if the text is not a code. */
export function parseCode(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').toUpperCase()
  return CODE.test(letters) ? formatCode(letters) : undefined
}

const formatCode = (letters: string): string => `${letters.slice(0, 3)}-${letters.slice(3, 6)}-${letters.slice(6)}`
