/** Links to the languages of a page, each labeled in its own language. Pure. */

import { LANGUAGE_PARAMETER } from 'larder/kernel'

export interface Language {
  readonly code: string
  /** In the language itself: Deutsch. */
  readonly name: string
  readonly current: boolean
  readonly href: string
}
/** Paths that a template may link to. */
const PLAIN = /^\/[\x21-\x7e]*$/

interface Shown {
  readonly locale: string
  readonly path: string
  readonly search?: string
}

/** Empty with fewer than two languages. */
export function languagesFor(available: readonly string[], { locale, path, search = '' }: Shown): Language[] {
  if (available.length < 2) return []
  // `//host` would be another host.
  const here = `/${path.replace(/^[/\\]+/, '')}`
  const kept = search.split('&').filter(part => part !== '' && !part.startsWith(`${LANGUAGE_PARAMETER}=`))
  return available.map(code => {
    const href = `${here}?${[...kept, `${LANGUAGE_PARAMETER}=${code}`].join('&')}`
    return {
      code,
      name: nameOf(code),
      current: code === locale,
      href: PLAIN.test(href) ? href : `/?${LANGUAGE_PARAMETER}=${code}`,
    }
  })
}

function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
