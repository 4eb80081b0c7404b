/** Rules of sources and layouts that the schemas do not express. Pure. */
import { type FieldError, fieldError, KIB, parseUrl, wording } from '@larder-dev/larder/kernel'
import type { Layout, NewLayout, NewSource } from '../records/source.ts'

/** Measured on the JSON text. */
const MAX_METADATA_BYTES = 4 * KIB
const MEDIA_PROTOCOLS = /^(https?|rtmps?|rtsps?|srt|udp):$/

export function validateSource({ kind, width, height, fps, url, metadata }: NewSource): FieldError[] {
  const errors: FieldError[] = []
  if (kind === 'microphone')
    for (const [name, value] of Object.entries({ width, height, fps }))
      if (value !== undefined)
        errors.push(fieldError(`/${name}`, 'not_allowed', wording('must be omitted for a microphone')))
  if (url !== undefined && kind !== 'external')
    errors.push(fieldError('/url', 'not_allowed', wording('must be omitted unless the source is external')))
  else if (url !== undefined && !isMediaUrl(url))
    errors.push(fieldError('/url', 'wrong_format', wording('must be an absolute http, rtmp, rtsp, srt or udp URL')))
  return [...errors, ...validateMetadata(metadata)]
}

/** `known`: ids of the stream's sources. */
export function validateLayout(
  { slots = [], focus_source_id, metadata }: NewLayout,
  known: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  const missing = (pointer: string) =>
    fieldError(pointer, 'unknown_source', wording('must name a source of this stream'))
  const seen = new Set<string>()
  for (const [index, { source_id }] of slots.entries()) {
    const pointer = `/slots/${index}/source_id`
    if (!known.includes(source_id)) errors.push(missing(pointer))
    else if (seen.has(source_id)) errors.push(fieldError(pointer, 'duplicate', wording('must not have two slots')))
    seen.add(source_id)
  }
  if (focus_source_id !== undefined && !known.includes(focus_source_id)) errors.push(missing('/focus_source_id'))
  return [...errors, ...validateMetadata(metadata)]
}

/** The layout without the source; the same object if it does not contain the source. */
export function withoutSource<L extends Pick<Layout, 'slots' | 'focus_source_id'>>(layout: L, sourceId: string): L {
  const slots = layout.slots.filter(slot => slot.source_id !== sourceId)
  const focused = layout.focus_source_id === sourceId
  if (slots.length === layout.slots.length && !focused) return layout
  return { ...layout, slots, focus_source_id: focused ? null : layout.focus_source_id }
}

const isMediaUrl = (text: string): boolean => MEDIA_PROTOCOLS.test(parseUrl(text)?.protocol ?? '')

const validateMetadata = (metadata: object | undefined): FieldError[] =>
  metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES
    ? [
        fieldError(
          '/metadata',
          'too_large',
          wording('must be at most {limit} bytes of JSON', { limit: MAX_METADATA_BYTES }),
        ),
      ]
    : []
