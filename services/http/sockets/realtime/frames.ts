/** Parses and serializes the frames that all realtime sockets share. Pure. */
import {
  type ClientFrame,
  type ClosingNotice,
  composed,
  type FrameError,
  hasInexactNumber,
  isRecord,
  Problem,
  type SocketPeer,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel/internal'
import { sayErrors } from '../../problems.ts'

const MAX_STRING_LENGTH = 128
/** Found in every text with a number that loses digits, and in few others. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{2}/
const NO_DATA: ClientFrame['data'] = Object.freeze({})

/** Returns an error for text that is not JSON, not an object, or has members of the wrong type. */
export function parseFrame(
  text: string,
  validateMembers?: (members: ClientFrame['members']) => Wording | undefined,
): ClientFrame | Wording {
  const members = parse(text)
  if (!isRecord(members)) return wording('A frame must be a JSON object.')
  if (LONG_NUMBER.test(text) && hasInexactNumber(text))
    return wording('A number has more digits than JavaScript keeps; send it as a string.')
  const { type, id, data = NO_DATA } = members
  if (typeof type !== 'string' || type.length > MAX_STRING_LENGTH) return tooLong('type')
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_STRING_LENGTH)) return tooLong('id')
  if (!isRecord(data)) return wording('{name} must be an object.', { name: 'data' })
  return validateMembers?.(members) ?? { type, id, data, members, text }
}

const tooLong = (name: string): Wording =>
  wording('{name} must be a string of at most {limit} characters.', { name, limit: MAX_STRING_LENGTH })

function parse(text: string): unknown {
  try {
    return composed(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const encodeFrame = (type: string, data: unknown, id?: string): string =>
  JSON.stringify(id === undefined ? { type, data } : { type, id, data })

/** @param say words the message for the client. */
export const encodeError = (error: FrameError, say: SocketPeer['say'], id?: string): string =>
  encodeFrame('error', errorData(error, say), id)

const errorData = ({ code, message, retryable = false, subscription }: FrameError, say: SocketPeer['say']) => ({
  code,
  message: say(message),
  retryable,
  ...(Problem.is(message) && membersOf(message, say)),
  ...(subscription !== undefined && { subscription }),
})

/** People read the title of a permission, programs its key. */
const membersOf = ({ extras: { errors, requiredPermission } }: Problem, say: SocketPeer['say']) => ({
  ...(Array.isArray(errors) && { errors: sayErrors(errors, say) }),
  ...(typeof requiredPermission === 'string' && { requiredPermission }),
})

export const encodeClosing = ({ action, reason, retryAfterMs }: ClosingNotice): string =>
  encodeFrame('closing', { retryAfterMs: retryAfterMs ?? null, action, reason })
