/** Frames of the realtime socket. Pure. */
import { type ClientFrame, idPattern, isRecord } from 'larder/kernel'

export type FrameType =
  | 'message.created'
  | 'message.updated'
  | 'message.deleted'
  | 'conversation.updated'
  | 'conversation.left'
  | 'read'
  | 'typing'

export interface FramePosition {
  readonly conversationId: string
  /** Number of the message, or of the newest message of the conversation. */
  readonly seq?: number
  readonly version?: number
}
/** A frame about a conversation. */
export const conversationFrame = (
  type: FrameType,
  { conversationId, seq, version }: FramePosition,
  data: object,
): string => JSON.stringify({ type, conversationId, seq, version, data })

/** The data of a frame. Its members may also be top-level. */
export const dataOf = ({ data, members }: ClientFrame): ClientFrame['data'] =>
  members.data === undefined ? members : data

const MAX_STRING_LENGTH = 128
const MAX_TOKEN_LENGTH = 512
/** Conversations in `lastSeqs` and `lastVersions` of a hello. */
export const MAX_CONVERSATIONS = 500
const MAX_INTEGER = 2_147_483_647
const CONVERSATION_ID = new RegExp(idPattern('cnv'))

export interface Hello {
  /** Id or slug. */
  readonly tenantId: string
  readonly token: string | undefined
  /** Last state that the client received, by conversation id. */
  readonly seen: ReadonlyMap<string, { readonly seq: number; readonly version: number | undefined }>
}

/** The data of a hello frame, or an error sentence. */
export function parseHello({ tenantId, token, lastSeqs = {}, lastVersions = {} }: ClientFrame['data']): Hello | string {
  if (typeof tenantId !== 'string' || tenantId === '' || tenantId.length > MAX_STRING_LENGTH)
    return 'tenantId must be an id or a slug.'
  if (token !== undefined && (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH))
    return 'token must be a string of at most 512 characters.'
  if (!isNumbers(lastSeqs)) return `lastSeqs must map at most ${MAX_CONVERSATIONS} conversation ids to numbers.`
  if (!isNumbers(lastVersions)) return `lastVersions must map at most ${MAX_CONVERSATIONS} conversation ids to numbers.`
  const versions = new Map(Object.entries(lastVersions))
  const seen = new Map(Object.entries(lastSeqs).map(([id, seq]) => [id, { seq, version: versions.get(id) }]))
  return { tenantId, token, seen }
}

function isNumbers(value: unknown): value is Record<string, number> {
  if (!isRecord(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= MAX_CONVERSATIONS && entries.every(([id, number]) => CONVERSATION_ID.test(id) && isCount(number))
  )
}

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INTEGER

/** The conversation id in a client frame; undefined if it is missing or invalid. */
export function conversationIdOf(frame: ClientFrame): string | undefined {
  const { conversationId } = dataOf(frame)
  return typeof conversationId === 'string' && CONVERSATION_ID.test(conversationId) ? conversationId : undefined
}
