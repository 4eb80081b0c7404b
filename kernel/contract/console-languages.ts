import { negotiateLocale } from '../base/index.ts'
import type { RequestFacts } from './caller.ts'
import type { Product } from './ports.ts'

/** Languages of the console and of the texts of Larder's modules, whatever languages the product has. */
export const CONSOLE_LANGUAGES: readonly string[] = ['en', 'de']

/** The language that a request accepts for texts that the console shows. */
export const consoleLocale = ({ headers }: Pick<RequestFacts, 'headers'>, { locales }: Product): string =>
  negotiateLocale(headers['accept-language'], { ...locales, available: [...locales.available, ...CONSOLE_LANGUAGES] })
