import { type LocalText, pickText } from '@larder-dev/larder/kernel'
import type { Field } from '../declarations/collection.ts'

/** The words for a value of an `enum`. */
export function valueLabel({ valueLabels }: Field, value: string, locale: string): string {
  return Object.hasOwn(valueLabels, value) ? pickText(valueLabels[value] as LocalText, locale, 'en') : value
}
