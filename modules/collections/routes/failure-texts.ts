/** What imports and exports report, in the language of `Accept-Language`. */
import { type Deps, inEnglish, type Wording } from '@larder-dev/larder/kernel'
import { acceptedLocale, CONSOLE_LANGUAGES } from '@larder-dev/larder/kernel/internal'
import type { JobFailure } from '../domain/rights/stored-caller.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>
export type SayWording = (text: Wording) => string

export function sayIn({ theme, product }: Deps<'product' | 'theme'>, headers: Headers): SayWording {
  const languages = [...product.locales.available, ...CONSOLE_LANGUAGES]
  const locale = acceptedLocale(String(headers['accept-language'] ?? ''), languages)
  return text => (locale === undefined ? inEnglish(text) : theme.text(locale, text))
}

export const toFailure = (failure: JobFailure | null, say: SayWording) =>
  failure && { code: failure.code, detail: say(failure.wording) }
