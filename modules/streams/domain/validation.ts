/** Rules of sources and layouts that the schemas do not express. Pure. */
import { KIB, parseUrl } from '@larder-dev/larder/kernel'
import type { Layout, NewLayout, NewSource } from '../records/source.ts'

/** Measured on the JSON text. */
const MAX_METADATA_BYTES = 4 * KIB
const MEDIA_PROTOCOLS = /^(https?|rtmps?|rtsps?|srt|udp):$/

export interface FieldError {
  /** JSON Pointer into the body. */
  readonly pointer: string
  readonly code: string
  /** Completes a sentence that starts with the field. */
  readonly detail: string
}

export function validateSource({ kind, width, height, fps, url, metadata }: NewSource): FieldError[] {
  const errors: FieldError[] = []
  if (kind === 'microphone')
    for (const [name, value] of Object.entries({ width, height, fps }))
      if (value !== undefined)
        errors.push({ pointer: `/${name}`, code: 'not_allowed', detail: 'must be omitted for a microphone' })
  if (url !== undefined && kind !== 'external')
    errors.push({ pointer: '/url', code: 'not_allowed', detail: 'must be omitted unless the source is external' })
  else if (url !== undefined && !isMediaUrl(url))
    errors.push({
      pointer: '/url',
      code: 'wrong_format',
      detail: 'must be an absolute http, rtmp, rtsp, srt or udp URL',
    })
  return [...errors, ...validateMetadata(metadata)]
}

/** `known`: ids of the stream's sources. */
export function validateLayout(
  { slots = [], focus_source_id, metadata }: NewLayout,
  known: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  const missing = { code: 'unknown_source', detail: 'must name a source of this stream' }
  const seen = new Set<string>()
  for (const [index, { source_id }] of slots.entries()) {
    const pointer = `/slots/${index}/source_id`
    if (!known.includes(source_id)) errors.push({ pointer, ...missing })
    else if (seen.has(source_id)) errors.push({ pointer, code: 'duplicate', detail: 'must not have two slots' })
    seen.add(source_id)
  }
  if (focus_source_id !== undefined && !known.includes(focus_source_id))
    errors.push({ pointer: '/focus_source_id', ...missing })
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
    ? [{ pointer: '/metadata', code: 'too_large', detail: `must be at most ${MAX_METADATA_BYTES} bytes of JSON` }]
    : []
