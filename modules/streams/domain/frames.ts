/** Frames of the realtime socket: `{type, id?, to?, from?, data}`. Pure. */
import { type ClientFrame, isRecord, type Wording, wording } from '@larder-dev/larder/kernel'
import type { Role } from './values.ts'

/** Frame types that the server relays between peers. */
const RELAYED_TYPES = ['description', 'candidate', 'renegotiate'] as const
export type RelayedType = (typeof RELAYED_TYPES)[number]

const MAX_STRING_LENGTH = 128

/** The error in `to`; undefined if it is valid. */
export const validateRecipient = ({ to }: ClientFrame['members']): Wording | undefined =>
  to === undefined || (typeof to === 'string' && to.length <= MAX_STRING_LENGTH)
    ? undefined
    : wording('to must be a peer_id.')

/** The peer that a frame addresses, after `validateRecipient`. */
export const recipientOf = ({ members }: ClientFrame): string | undefined => members.to as string | undefined

export const isRelayed = (type: string): type is RelayedType => (RELAYED_TYPES as readonly string[]).includes(type)

const isShortString = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_STRING_LENGTH
const DESCRIPTION_TYPES = ['offer', 'answer', 'pranswer', 'rollback']

/** The error in the data of a relayed frame; undefined if it is valid. */
export function validateRelayed(type: RelayedType, data: ClientFrame['data']): Wording | undefined {
  if (type === 'renegotiate') return undefined
  if (!isShortString(data.connection_id)) return wording('connection_id must be a string of 1 to 128 characters.')
  if (type === 'candidate') {
    const { candidate } = data
    return candidate === null || isRecord(candidate)
      ? undefined
      : wording('candidate must be an RTCIceCandidateInit or null.')
  }
  const { description } = data
  if (!isRecord(description)) return wording('description must be an object with type and sdp.')
  const { type: kind, sdp } = description
  if (typeof kind !== 'string' || !DESCRIPTION_TYPES.includes(kind))
    return wording('description.type must be offer, answer, pranswer or rollback.')
  return sdp === undefined || typeof sdp === 'string' ? undefined : wording('description.sdp must be a string.')
}

export interface Hello {
  readonly token: string | undefined
  readonly resumeToken: string | undefined
  readonly role: Role | undefined
  /** Sequence number of the last frame that a resuming client received. */
  readonly lastSeq: number | undefined
}

const MAX_TOKEN_LENGTH = 512

/** The data of a hello frame, or an error. */
export function parseHello(data: ClientFrame['data']): Hello | Wording {
  const { token, resume_token, role, last_seq } = data
  for (const [name, value] of Object.entries({ token, resume_token }))
    if (value !== undefined && (typeof value !== 'string' || value.length > MAX_TOKEN_LENGTH))
      return wording('{name} must be a string of at most {limit} characters.', { name, limit: MAX_TOKEN_LENGTH })
  if (role !== undefined && role !== 'publisher' && role !== 'viewer')
    return wording('role must be publisher or viewer.')
  if (last_seq !== undefined && !(Number.isSafeInteger(last_seq) && Number(last_seq) >= 0))
    return wording('last_seq must be a non-negative integer.')
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
  more: { id?: string | undefined; from?: string; to?: string | undefined } = {},
): string => JSON.stringify({ type, ...more, data }).slice(1)

/** `from` is set by the server. A value from the client is ignored. */
export function encodeRelayTail(frame: ClientFrame, from: string): string {
  const { text, type, data } = frame
  if (!isForwardable(frame.members)) return encodeTail(type, data, { from, to: recipientOf(frame) })
  return `"from":"${from}",${text.slice(text.indexOf('{') + 1)}`
}

/** Whether the text has no other members than a relayed frame and can be forwarded as is. */
function isForwardable(members: ClientFrame['members']): boolean {
  for (const name in members) if (name !== 'type' && name !== 'to' && name !== 'data') return false
  return true
}

/** A complete frame. Frames without a sequence number are not replayed. */
export const withSequence = (seq: number, tail: string): string => sequencePrefix(seq) + tail
export const sequencePrefix = (seq: number): string => `{"seq":${seq},`
export const withoutSequence = (tail: string): string => `{${tail}`
