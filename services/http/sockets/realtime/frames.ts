/** Parses and serializes the frames that all realtime sockets share. Pure. */
import {
  type ClientFrame,
  type ClosingNotice,
  composed,
  type FrameError,
  hasInexactNumber,
  isRecord,
} from '@larder-dev/larder/kernel/internal'

const MAX_STRING_LENGTH = 128
/** Found in every text with a number that loses digits, and in few others. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{2}/
const NO_DATA: ClientFrame['data'] = Object.freeze({})

/** Returns an error sentence for text that is not JSON, not an object, or has members of the wrong type. */
export function parseFrame(
  text: string,
  validateMembers?: (members: ClientFrame['members']) => string | undefined,
): ClientFrame | string {
  const members = parse(text)
  if (!isRecord(members)) return 'A frame must be a JSON object.'
  if (LONG_NUMBER.test(text) && hasInexactNumber(text))
    return 'A number has more digits than JavaScript keeps; send it as a string.'
  const { type, id, data = NO_DATA } = members
  if (typeof type !== 'string' || type.length > MAX_STRING_LENGTH)
    return `type must be a string of at most ${MAX_STRING_LENGTH} characters.`
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_STRING_LENGTH))
    return `id must be a string of at most ${MAX_STRING_LENGTH} characters.`
  if (!isRecord(data)) return 'data must be an object.'
  return validateMembers?.(members) ?? { type, id, data, members, text }
}

function parse(text: string): unknown {
  try {
    return composed(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const encodeFrame = (type: string, data: unknown, id?: string): string =>
  JSON.stringify(id === undefined ? { type, data } : { type, id, data })

export const encodeError = ({ code, message, retryable = false }: FrameError, id?: string): string =>
  encodeFrame('error', { code, message, retryable }, id)

export const encodeClosing = ({ action, reason, retryAfterMs }: ClosingNotice): string =>
  encodeFrame('closing', { retryAfterMs: retryAfterMs ?? null, action, reason })
