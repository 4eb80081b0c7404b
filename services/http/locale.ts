/** Selects the language of a reader: their choice, then Accept-Language. Pure. */

import type { IncomingHttpHeaders } from 'node:http'
import {
  DAY,
  LANGUAGE_PARAMETER,
  matchLocale,
  negotiateLocale,
  readCookie,
  SECOND,
  setCookie,
} from '@larder-dev/larder/kernel/internal'

interface Locales {
  readonly default: string
  readonly available: readonly string[]
}
interface LocaleRequest {
  readonly search: string
  readonly headers: IncomingHttpHeaders
}

/** Stores the choice that a reader makes with a link such as `?lang=de`. */
const LOCALE_COOKIE = 'platform_locale'
const LOCALE_COOKIE_SECONDS = (365 * DAY) / SECOND

/** The language in the query; undefined without one, or if the product doesn't have it. */
export function requestedLocale({ search }: LocaleRequest, { available }: Locales): string | undefined {
  const name = `${LANGUAGE_PARAMETER}=`
  if (available.length < 2 || !search.includes(name)) return undefined
  const wanted = search.split('&').find(part => part.startsWith(name))
  return wanted === undefined ? undefined : matchLocale(wanted.slice(name.length), available)
}

/** The `Set-Cookie` value that stores the choice. */
export const localeCookie = (locale: string, secure: boolean): string =>
  setCookie(LOCALE_COOKIE, locale, { secure, maxAge: LOCALE_COOKIE_SECONDS, httpOnly: false })

/** Whether a Cookie header has the language and nothing else. */
export const isLocaleCookie = (header: string): boolean =>
  header.startsWith(`${LOCALE_COOKIE}=`) && !header.includes(';')

export function resolveLocale(asked: LocaleRequest, locales: Locales): string {
  if (locales.available.length < 2) return locales.default
  const kept = readCookie(asked.headers.cookie, LOCALE_COOKIE)
  const chosen = requestedLocale(asked, locales) ?? locales.available.find(locale => locale === kept)
  return chosen ?? negotiateLocale(asked.headers['accept-language'], locales)
}
