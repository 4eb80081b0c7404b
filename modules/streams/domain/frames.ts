/** Parsing and serialization of frames of the realtime socket: `{type, id?, to?, from?, data}`. Pure. */
import { isFields } from 'larder/kernel'
import type { Role } from './values.ts'

/** Frame types that the server relays between peers. */
const RELAYED_TYPES = ['description', 'candidate', 'renegotiate'] as const
export type RelayedType = (typeof RELAYED_TYPES)[number]

export interface Frame {
  /** The original text if it has no other members than a relayed frame and can be forwarded as is. */
  readonly text: string | undefined
  readonly type: string
  readonly id: string | undefined
  readonly to: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}
export interface FrameError {
  readonly code: 'bad_frame' | 'bad_data'
  readonly message: string
  readonly id: string | undefined
}

const MAX_STRING_LENGTH = 128
const NO_DATA = Object.freeze({})

/** Returns an error for text that is not JSON, not an object, or has members of the wrong type. */
export function parseFrame(text: string): Frame | FrameError {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid('A frame must be a JSON object.')
  const { type, id, to, data = NO_DATA } = value as Record<string, unknown>
  if (typeof type !== 'string' || type.length > MAX_STRING_LENGTH)
    return invalid('type must be a string of at most 128 characters.')
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_STRING_LENGTH))
    return invalid('id must be a string of at most 128 characters.')
  if (to !== undefined && (typeof to !== 'string' || to.length > MAX_STRING_LENGTH))
    return invalid('to must be a peer_id.')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return invalid('data must be an object.')
  return { text: isForwardable(value) ? text : undefined, type, id, to, data: data as Record<string, unknown> }
}

/** True without members other than those of a relayed frame. In particular, a client can't set `from`. */
function isForwardable(value: object): boolean {
  for (const name in value) if (name !== 'type' && name !== 'to' && name !== 'data') return false
  return true
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const invalid = (message: string): FrameError => ({ code: 'bad_frame', message, id: undefined })
export const isFrameError = (frame: Frame | FrameError): frame is FrameError => 'code' in frame

export const isRelayed = (type: string): type is RelayedType => (RELAYED_TYPES as readonly string[]).includes(type)

const isShortString = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_STRING_LENGTH
const DESCRIPTION_TYPES = ['offer', 'answer', 'pranswer', 'rollback']

/** The error in the data of a relayed frame, as a sentence; undefined if it is valid. */
export function validateRelayed(type: RelayedType, data: Frame['data']): string | undefined {
  if (type === 'renegotiate') return undefined
  if (!isShortString(data.connection_id)) return 'connection_id must be a string of 1 to 128 characters.'
  if (type === 'candidate') {
    const { candidate } = data
    return candidate === null || isFields(candidate) ? undefined : 'candidate must be an RTCIceCandidateInit or null.'
  }
  const { description } = data
  if (!isFields(description)) return 'description must be an object with type and sdp.'
  const { type: kind, sdp } = description
  if (typeof kind !== 'string' || !DESCRIPTION_TYPES.includes(kind))
    return 'description.type must be offer, answer, pranswer or rollback.'
  return sdp === undefined || typeof sdp === 'string' ? undefined : 'description.sdp must be a string.'
}

export interface Hello {
  readonly token: string | undefined
  readonly resumeToken: string | undefined
  readonly role: Role | undefined
  /** Sequence number of the last frame that a resuming client received. */
  readonly lastSeq: number | undefined
}

const MAX_TOKEN_LENGTH = 512

/** The data of a hello frame, or an error sentence. */
export function parseHello(data: Frame['data']): Hello | string {
  const { token, resume_token, role, last_seq } = data
  for (const [name, value] of Object.entries({ token, resume_token }))
    if (value !== undefined && (typeof value !== 'string' || value.length > MAX_TOKEN_LENGTH))
      return `${name} must be a string of at most ${MAX_TOKEN_LENGTH} characters.`
  if (role !== undefined && role !== 'publisher' && role !== 'viewer') return 'role must be publisher or viewer.'
  if (last_seq !== undefined && !(Number.isSafeInteger(last_seq) && Number(last_seq) >= 0))
    return 'last_seq must be a non-negative integer.'
  return {
    token: token as string | undefined,
    resumeToken: resume_token as string | undefined,
    role,
    lastSeq: last_seq as number | undefined,
  }
}

/**
 * A serialized frame without its opening brace. A sequence number can be prepended for each peer without serializing
 * the rest again.
 */
export const encodeTail = (
  type: string,
  data: unknown,
  more: { id?: string; from?: string; to?: string } = {},
): string => JSON.stringify({ type, ...more, data }).slice(1)

/** `from` is set by the server. A value from the client is ignored. */
export function encodeRelayTail({ text, type, to, data }: Frame, from: string): string {
  if (text === undefined) return JSON.stringify({ type, from, to, data }).slice(1)
  return `"from":"${from}",${text.slice(text.indexOf('{') + 1)}`
}

/** A complete frame. Frames without a sequence number are not replayed. */
export const withSequence = (seq: number, tail: string): string => `{"seq":${seq},${tail}`
export const withoutSequence = (tail: string): string => `{${tail}`
