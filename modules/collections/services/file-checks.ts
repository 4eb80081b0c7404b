/** Files of rows must be ready items of the media module that fit their field. */
import {
  type FieldError,
  fieldError,
  formatSize,
  invalidFields,
  type Ports,
  Problem,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import type { Collection, Field } from '../domain/declarations/collection.ts'
import { fileFields } from '../domain/fields/field-lists.ts'
import { isMediaTypeOf } from '../domain/fields/media-types.ts'
import type { View } from '../domain/rights/view.ts'
import { pointerOf } from '../domain/rows/row-values.ts'
import type { CheckedRow } from './reference-checks.ts'

type MediaItems = Ports['mediaItems']
type Item = Awaited<ReturnType<MediaItems['ready']>>[number]

export interface FileRow extends CheckedRow {
  /**
   * Fields whose values the caller didn't send, but a hook or a former version of the row. Customers only put files into
   * rows that they have uploaded themselves, since they could read those of others there.
   */
  readonly notSent?: readonly string[]
}

export async function assertFiles(
  media: MediaItems | undefined,
  view: View,
  collection: Collection,
  rows: readonly FileRow[],
): Promise<void> {
  const errors = await fileErrors(media, view, collection, rows)
  if (errors.length > 0) throw invalidFields(errors)
}

export async function fileErrors(
  media: MediaItems | undefined,
  view: View,
  collection: Collection,
  rows: readonly FileRow[],
): Promise<FieldError[]> {
  const wanted = fileFields(collection).flatMap(field =>
    rows.flatMap(({ values, pointer, notSent }) => {
      const id = values[field.name]
      const isSent = !notSent?.includes(field.name)
      return typeof id === 'string' ? [{ field, id, isSent, pointer: pointerOf(pointer, field.name) }] : []
    }),
  )
  if (!media || wanted.length === 0) return []
  const { tenantId, caller } = view
  const owner = caller?.isCustomer ? caller.userId : undefined
  const found = async (isSent: boolean) => {
    const ids = new Set(wanted.flatMap(each => (each.isSent === isSent ? each.id : [])))
    return findItems(each => media.ready(tenantId, each, isSent ? owner : undefined), [...ids])
  }
  const [sent, others] = [await found(true), await found(false)]
  return wanted.flatMap(({ field, id, isSent, pointer }): FieldError[] => {
    const error = fileError(field, (isSent ? sent : others).get(id))
    return error ? [fieldError(pointer, error.code, error.text)] : []
  })
}

async function findItems(
  ready: (ids: readonly string[]) => ReturnType<MediaItems['ready']>,
  ids: readonly string[],
): Promise<Map<string, Item>> {
  if (ids.length === 0) return new Map()
  try {
    return new Map((await ready(ids)).map(item => [item.id, item]))
  } catch (error) {
    const unknown = Problem.is(error) && error.code === 'unknown_media' ? error.extras.mediaIds : undefined
    if (!Array.isArray(unknown)) throw error
    const rest = ids.filter(id => !unknown.includes(id))
    return rest.length < ids.length ? findItems(ready, rest) : new Map()
  }
}

function fileError(
  { accept, maxSize }: Field,
  item: Item | undefined,
): { readonly code: string; readonly text: Wording } | undefined {
  if (!item) return { code: 'not_found', text: wording('must be the ID of a file that is ready') }
  if (accept && !accept.some(pattern => isMediaTypeOf(item.mimeType, pattern)))
    return { code: 'not_allowed', text: wording('must be a file of type {types}', { types: accept }) }
  if (maxSize !== undefined && item.size > maxSize)
    return { code: 'too_large', text: wording('must not exceed {size}', { size: formatSize(maxSize) }) }
  return undefined
}
