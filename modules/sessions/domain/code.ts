/** Session codes such as `K7M-2QX-9TB`, short enough to read aloud. A code is not a credential. */
import { cleanCode } from '@larder-dev/larder/kernel'
import { randomText } from '@larder-dev/larder/kernel/internal'

/** Excludes vowels, so that codes contain no words, and the lookalikes 0 O 1 I L U. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 9
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

export const CODE_PATTERN = `^[${ALPHABET}]{3}-[${ALPHABET}]{3}-[${ALPHABET}]{3}$`

export const generateCode = (): string => formatCode(randomText(ALPHABET, LENGTH))

/** Normalizes a typed code, in any notation. Undefined if the text is not a code. */
export function parseCode(text: string): string | undefined {
  const letters = cleanCode(text)
  return CODE.test(letters) ? formatCode(letters) : undefined
}

const formatCode = (letters: string): string => `${letters.slice(0, 3)}-${letters.slice(3, 6)}-${letters.slice(6)}`
