/** Links to the languages of a page, each labeled in its own language. Pure. */

export interface Language {
  readonly code: string
  /** In the language itself: Deutsch. */
  readonly name: string
  readonly current: boolean
  readonly href: string
}
/** The query's parameter that chooses a language, for this page and from then on. */
export const LANGUAGE = 'lang'
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
  const kept = search.split('&').filter(part => part !== '' && !part.startsWith(`${LANGUAGE}=`))
  return available.map(code => {
    const href = `${here}?${[...kept, `${LANGUAGE}=${code}`].join('&')}`
    return {
      code,
      name: nameOf(code),
      current: code === locale,
      href: PLAIN.test(href) ? href : `/?${LANGUAGE}=${code}`,
    }
  })
}

function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'code' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}
