import { negotiateLocale } from '../base/index.ts'
import type { RequestFacts } from './caller.ts'
import type { Product } from './ports.ts'

/** Languages in which the console and the texts of modules are written. Files of translations of a product add others. */
export const CONSOLE_LANGUAGES: readonly string[] = ['en', 'de']

/** The language that a request accepts for texts that the console shows. */
export const consoleLocale = ({ headers }: Pick<RequestFacts, 'headers'>, { locales }: Product): string =>
  negotiateLocale(headers['accept-language'], { ...locales, available: [...locales.available, ...CONSOLE_LANGUAGES] })
