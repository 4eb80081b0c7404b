/** Codes that two people read to each other: `K7M-2QX-9TB`. No credential. Pure but for its randomness. */
import { randomBytes } from './random.ts'

/** No vowels, so that no words appear, and none of 0 O 1 I L U. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 9
/** Bytes from here on would make the first letters likelier than the rest. */
const FAIR = 256 - (256 % ALPHABET.length)
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

export const CODE_PATTERN = `^[${ALPHABET}]{3}-[${ALPHABET}]{3}-[${ALPHABET}]{3}$`

export function newCode(random: (size: number) => Uint8Array = randomBytes): string {
  let letters = ''
  while (letters.length < LENGTH)
    for (const byte of random(2 * LENGTH))
      if (byte < FAIR && letters.length < LENGTH) letters += ALPHABET[byte % ALPHABET.length]
  return grouped(letters)
}

/** The code that a person meant, in any case, with or without hyphens and blanks; undefined where it can be none. */
export function readCode(text: string): string | undefined {
  const letters = text.replace(/[\s-]/g, '').toUpperCase()
  return CODE.test(letters) ? grouped(letters) : undefined
}

const grouped = (letters: string): string => `${letters.slice(0, 3)}-${letters.slice(3, 6)}-${letters.slice(6)}`
