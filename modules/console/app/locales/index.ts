/** The language of the console, its texts, and formats of dates and numbers. */
import * as money from '../../../../kernel/base/money.ts'
import { createStore, useStore } from '../browser/store.ts'
import { writeStored } from '../browser/stored.ts'
import { bilingual, type Language, type Localized } from './bilingual.ts'
import { inLanguage, loadTranslations, translated } from './dictionary.ts'
import { durationIn } from './durations.ts'
import { dateFormat, numberFormat, pluralRules, relativeFormat } from './formats.ts'
import { initialLanguage, LANGUAGES, showLanguage } from './language.ts'
import { texts } from './texts.ts'

export type { Language, Localized }
export { LANGUAGES }
export type TextKey = keyof (typeof texts)['en']
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

const YEAR_SECONDS = 31_536_000
export const languageStore = createStore<Language>(initialLanguage())
showLanguage(languageStore.get())

/** Call it before the first text is shown. */
export const loadLanguage = (): Promise<void> => loadTranslations(languageStore.get())

/** Also chooses the language of the pages and of the texts that the API translates. */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadTranslations(language)
  showLanguage(language)
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari lack the Cookie Store API
  document.cookie = `platform_locale=${language}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`
  writeStored('language', language)
  languageStore.set(language)
}

/** `{name}` is filled. Of `1 page || {count} pages`, the first part is for the counts that the language treats as one. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const [one = '', other = one] = text.split(' || ')
  const { count } = values
  // A count can be formatted already: `1.000` isn't one.
  const isOne = typeof count === 'number' ? pluralOf(count) === 'one' : count === '1'
  const chosen = isOne ? one : other
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

const pluralOf = (count: number): Intl.LDMLPluralRule => pluralRules(languageStore.get()).select(count)

/** A text of the current language. Components have `useScreenTexts`, which follows a change. */
export const localized = <T>(texts: Localized<T>): T => inLanguage(texts, languageStore.get())

/** Translates messages outside of components, which have `useTexts`. */
export const translate: Translate = (key, values = {}) => fill(localized(texts)[key], values)

/** Re-renders the component when the language changes. */
export function useTexts(): Translate {
  useStore(languageStore)
  return translate
}

/** Texts of a tailored screen, in the language of the console. */
export const useScreenTexts = <T>(texts: Localized<T>): T => inLanguage(texts, useStore(languageStore))

/** Labels of properties that belong to no resource. Without one, the label comes from the name in the API. */
const FIELDS: Localized<Readonly<Record<string, string>>> = bilingual({
  amount: 'Amount',
  createdAt: 'Created',
  email: 'Email',
  managedBy: 'Origin',
  managed_by: 'Origin',
  expiresAt: 'Expires',
  page: 'Page',
  permissions: 'Permissions',
  planKey: 'Plan',
  reason: 'Reason',
  roles: 'Roles',
  slug: 'Slug',
})

/** `publishedAt` → `Published`. */
export function fieldLabel(name: string, title?: string): string {
  const known = title ?? localized(FIELDS)[name]
  if (known !== undefined) return known
  // A key, such as that of an entitlement.
  if (name.includes('.')) return name
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .replace(/\b(?!delivered)(\w+ed|sent|expires) at$/, '$1')
    .replace(/\b(id|url|api|html|seo|ip|csv|json|ui|mime)\b/g, word => word.toUpperCase())
  return translated(words.charAt(0).toUpperCase() + words.slice(1))
}

/** A value in the words of its resource; without them, `past_due` → `Past due`. */
export const wordOf = (value: string, states?: Readonly<Record<string, { readonly title: string }>>): string =>
  states?.[value]?.title ?? (value.charAt(0).toUpperCase() + value.slice(1)).replaceAll('_', ' ')

export const formatNumber = (value: number): string => numberFormat(languageStore.get()).format(value)

/** @param value a fraction of 1. */
export const formatPercent = (value: number): string =>
  numberFormat(languageStore.get(), { style: 'percent', maximumFractionDigits: 1 }).format(value)

/** @param ms in milliseconds: `1 hour, 30 minutes`. */
export const formatDuration = (ms: number): string => durationIn(languageStore.get(), ms)

export const formatDate = (instant: string): string =>
  dateFormat(languageStore.get(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** The date in full and the time, without seconds. */
export const formatLongDate = (instant: string): string =>
  dateFormat(languageStore.get(), { dateStyle: 'full', timeStyle: 'short' }).format(new Date(instant))

/** Seconds of each unit, the largest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const WEEK_SECONDS = 604_800

/** `3 min. ago`, `yesterday`, `in 2 hr.`; the day beyond a week, with its year if it isn't the current one. */
export function formatRelative(instant: string, now: number): string {
  const date = new Date(instant)
  const seconds = (date.getTime() - now) / 1000
  const distance = Math.abs(seconds)
  const language = languageStore.get()
  if (distance >= WEEK_SECONDS) {
    const year = date.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const)
    return dateFormat(language, { month: 'short', day: 'numeric', ...year }).format(date)
  }
  const [unit, size] = UNITS.find(([, each]) => distance >= each) ?? (['second', Number.POSITIVE_INFINITY] as const)
  const format = relativeFormat(language, { numeric: 'auto', style: 'short' })
  return format.format(Math.trunc(seconds / size), unit)
}

/** @param day `2026-05-31`, the same in every time zone. */
export const formatDay = (day: string): string =>
  dateFormat(languageStore.get(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

const hasDecimalComma = (): boolean => formatNumber(0.5).includes(',')

/** A number in an input: a point and a comma are accepted, and the sign of the language is shown. */
export const withDecimalSign = (text: string): string => (hasDecimalComma() ? text.replace('.', ',') : text)
/** The same number as the API has it. A comma stays one where it stands between thousands. */
export const withDecimalPoint = (text: string): string => (hasDecimalComma() ? text.replace(',', '.') : text)

/** @param amount in minor units. */
export const formatMoney = (amount: number, currency: string): string =>
  money.formatMoney(languageStore.get(), amount, currency)

/** `de` → `German`. @param language of the name; that of the console by default. */
export function languageName(locale: string, language = languageStore.get()): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(locale) ?? locale
  } catch {
    // Not a language tag.
    return locale
  }
}
