/** Bounds of sources and layouts that no schema can say. Pure. */
import { KIB } from 'larder/kernel'
import type { NewLayout, NewSource, Slot } from '../ports.ts'

/** Of JSON. */
const MAX_METADATA = 4 * KIB
const MEDIA_ADDRESS = /^(https?|rtmps?|rtsps?|srt|udp):$/

export interface Flaw {
  /** JSON Pointer into the body. */
  readonly pointer: string
  readonly code: string
  /** The end of a sentence that begins with the field. */
  readonly detail: string
}

export function sourceFlaws({ kind, width, height, fps, url, metadata }: NewSource): Flaw[] {
  const flaws: Flaw[] = []
  if (kind === 'microphone')
    for (const [name, value] of Object.entries({ width, height, fps }))
      if (value !== undefined)
        flaws.push({ pointer: `/${name}`, code: 'not_allowed', detail: 'a microphone has no picture' })
  if (url !== undefined && kind !== 'external')
    flaws.push({ pointer: '/url', code: 'not_allowed', detail: 'only an external source has an address' })
  else if (url !== undefined && !isMediaAddress(url))
    flaws.push({
      pointer: '/url',
      code: 'wrong_format',
      detail: 'must be a whole http, rtmp, rtsp, srt or udp address',
    })
  return [...flaws, ...metadataFlaws(metadata)]
}

/** `known` are the ids of the stream's sources. */
export function layoutFlaws({ slots = [], focus_source_id, metadata }: NewLayout, known: readonly string[]): Flaw[] {
  const flaws: Flaw[] = []
  const missing = { code: 'unknown_source', detail: 'must name a source of this stream' }
  const seen = new Set<string>()
  for (const [index, { source_id }] of slots.entries()) {
    const pointer = `/slots/${index}/source_id`
    if (!known.includes(source_id)) flaws.push({ pointer, ...missing })
    else if (seen.has(source_id)) flaws.push({ pointer, code: 'duplicate', detail: 'has a slot already' })
    seen.add(source_id)
  }
  if (focus_source_id !== undefined && !known.includes(focus_source_id))
    flaws.push({ pointer: '/focus_source_id', ...missing })
  return [...flaws, ...metadataFlaws(metadata)]
}

/** The layout without a source that is gone; the same object where it did not stand in it. */
export function withoutSource<L extends { readonly slots: readonly Slot[]; readonly focus_source_id: string | null }>(
  layout: L,
  sourceId: string,
): L {
  const slots = layout.slots.filter(slot => slot.source_id !== sourceId)
  const focused = layout.focus_source_id === sourceId
  if (slots.length === layout.slots.length && !focused) return layout
  return { ...layout, slots, focus_source_id: focused ? null : layout.focus_source_id }
}

const isMediaAddress = (text: string): boolean => URL.canParse(text) && MEDIA_ADDRESS.test(new URL(text).protocol)

const metadataFlaws = (metadata: object | undefined): Flaw[] =>
  metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA
    ? [{ pointer: '/metadata', code: 'too_large', detail: `must be at most ${MAX_METADATA} bytes of JSON` }]
    : []
