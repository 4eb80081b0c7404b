import { consoleLocale, type Deps, type RequestFacts } from '@larder-dev/larder/kernel'
import type { Item } from '../records/item.ts'

export type TranslatedItem = <T extends Item>(request: Pick<RequestFacts, 'headers'>, item: T) => T

/** Says why a file was rejected in the language of the request. Items and events have the reason in English. */
export const createTranslatedItem =
  ({ theme, product }: Deps<'theme' | 'product'>): TranslatedItem =>
  (request, item) => {
    const { rejection } = item
    if (!rejection) return item
    const detail = theme.text(consoleLocale(request, product), rejection.detail)
    return { ...item, rejection: { ...rejection, detail } }
  }
