/** The language of the console, its texts, and formats of dates and numbers. */
import * as money from '../../../../kernel/base/money.ts'
import { createStore, readStored, useStore, writeStored } from '../data/store.ts'
import type { Language } from './bilingual.ts'
import { texts } from './texts.ts'

export type { Language }
export type TextKey = keyof (typeof texts)[Language]
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string
/** A title in both languages. */
export type Localized = Readonly<Record<Language, string>>

export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'de'

function initialLanguage(): Language {
  const stored = readStored<unknown>('language', null)
  const cookie = /(?:^|;\s*)platform_locale=([a-z]{2})/.exec(document.cookie)?.[1]
  const wanted = [stored, cookie, ...navigator.languages.map(tag => tag.slice(0, 2))]
  return wanted.find(isLanguage) ?? 'en'
}

const YEAR_SECONDS = 31_536_000
export const languageStore = createStore<Language>(initialLanguage())
document.documentElement.lang = languageStore.get()

/** Also chooses the language of the pages and of the texts that the API translates. */
export function chooseLanguage(language: Language): void {
  document.documentElement.lang = language
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari lack the Cookie Store API
  document.cookie = `platform_locale=${language}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`
  writeStored('language', language)
  languageStore.set(language)
}

/** `{name}` is filled. Of `1 page || {count} pages`, the first part is for a count of one. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const [one = '', other = one] = text.split(' || ')
  const chosen = String(values.count) === '1' ? one : other
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Translates messages outside of components, which have `useTexts`. */
export const translate: Translate = (key, values = {}) => fill(texts[languageStore.get()][key], values)

/** Re-renders the component when the language changes. */
export function useTexts(): Translate {
  useStore(languageStore)
  return translate
}

/** Texts of a tailored screen, in the language of the console. */
export const useScreenTexts = <T>(texts: Readonly<Record<Language, T>>): T => texts[useStore(languageStore)]

/** Labels of properties that belong to no resource. Without one, the label comes from the name in the API. */
const FIELDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { planKey: 'Plan' },
  de: {
    ...{ amount: 'Menge', createdAt: 'Erstellt', email: 'E-Mail-Adresse', expiresAt: 'Läuft ab', page: 'Seite' },
    ...{ permissions: 'Berechtigungen', planKey: 'Tarif', reason: 'Grund', roles: 'Rollen', slug: 'Kurzname' },
  },
}

/** `publishedAt` → `Published at`. */
export function fieldLabel(name: string, title?: string): string {
  const known = title ?? FIELDS[languageStore.get()][name]
  if (known !== undefined) return known
  // A key, such as that of an entitlement.
  if (name.includes('.')) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(id|url|api|html|seo|ip|csv|json|ui|mime)\b/g, word => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value in the words of its resource; without them, `past_due` → `Past due`. */
export const wordOf = (value: string, states?: Readonly<Record<string, { readonly title: string }>>): string =>
  states?.[value]?.title ?? (value.charAt(0).toUpperCase() + value.slice(1)).replaceAll('_', ' ')

export const formatNumber = (value: number): string => new Intl.NumberFormat(languageStore.get()).format(value)

export const formatDate = (instant: string): string =>
  new Intl.DateTimeFormat(languageStore.get(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** @param day `2026-05-31`, the same in every time zone. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(languageStore.get(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** An amount in an input: a point and a comma are accepted, and the sign of the language is shown. */
export const withDecimalSign = (amount: string): string =>
  languageStore.get() === 'de' ? amount.replace('.', ',') : amount

/** @param amount in minor units. */
export const formatMoney = (amount: number, currency: string): string =>
  money.formatMoney(languageStore.get(), amount, currency)

/** `de` → `German`. */
export function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(languageStore.get(), { type: 'language' }).of(locale) ?? locale
  } catch {
    // Not a language tag.
    return locale
  }
}
