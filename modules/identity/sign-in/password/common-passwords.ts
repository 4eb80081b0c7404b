import { readFileSync } from 'node:fs'
import { once } from '@larder-dev/larder/kernel'

/** The 10,000 most common passwords of at least 8 characters, in lower case. The file names its sources and their licenses. */
export const commonPasswords: () => ReadonlySet<string> = once(() => {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  return new Set(text.slice(text.indexOf('\n\n')).trim().split('\n'))
})
