/** Links to the languages of a page, each labeled in its own language. Pure. */

import { LANGUAGE_PARAMETER } from '@larder-dev/larder/kernel/internal'

export interface Language {
  readonly code: string
  /** In the language itself: Deutsch. */
  readonly name: string
  readonly current: boolean
  readonly href: string
}
/** Paths that a template may link to. */
const SAFE_PATH = /^\/[\x21-\x7e]*$/

interface CurrentPage {
  readonly locale: string
  readonly path: string
  readonly search?: string
}

/** Empty with fewer than two languages. */
export function languagesFor(available: readonly string[], { locale, path, search = '' }: CurrentPage): Language[] {
  if (available.length < 2) return []
  // `//host` would be another host.
  const currentPath = `/${path.replace(/^[/\\]+/, '')}`
  const otherParameters = search.split('&').filter(part => part !== '' && !part.startsWith(`${LANGUAGE_PARAMETER}=`))
  return available.map(code => {
    const href = `${currentPath}?${[...otherParameters, `${LANGUAGE_PARAMETER}=${code}`].join('&')}`
    return {
      code,
      name: languageName(code),
      current: code === locale,
      href: SAFE_PATH.test(href) ? href : `/?${LANGUAGE_PARAMETER}=${code}`,
    }
  })
}

function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
