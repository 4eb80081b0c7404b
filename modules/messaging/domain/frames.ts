/** Frames of the realtime socket: text as it leaves, and what came in, checked. Pure. */

import { idPattern, isFields } from 'larder/kernel'
export type FrameType =
  | 'message.created'
  | 'message.updated'
  | 'message.deleted'
  | 'conversation.updated'
  | 'conversation.left'
  | 'read'
  | 'typing'

export interface Place {
  readonly conversationId: string
  /** Of the message that this is about, or the conversation's newest. */
  readonly seq?: number
  readonly version?: number
}
/** What is told of a conversation. */
export const frameOf = (type: FrameType, { conversationId, seq, version }: Place, data: object): string =>
  JSON.stringify({ type, conversationId, seq, version, data })

/** What belongs to the socket itself: welcome, unread, ping, error, closing. */
export const plainFrame = (type: string, data: object, id?: string): string =>
  JSON.stringify(id === undefined ? { type, data } : { type, id, data })

export interface Heard {
  readonly type: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

const MAX_WORD = 128

/** `{type, id?, data}`; the members of `data` may stand beside `type` too. Otherwise the sentence that says why not. */
export function parseFrame(text: string): Heard | string {
  const value = parse(text)
  if (!isFields(value)) return 'a frame is a JSON object'
  const { type, id, data = value } = value
  if (typeof type !== 'string' || type.length > MAX_WORD) return 'a frame has a type'
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_WORD)) return 'id is a short string'
  return isFields(data) ? { type, id, data } : 'data is an object'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_TOKEN = 512
/** Conversations that a hello may name. */
export const MAX_NAMED = 500
const MAX_NUMBER = 2_147_483_647
const CONVERSATION = new RegExp(idPattern('cnv'))

export interface Hello {
  /** Id or slug. */
  readonly tenantId: string
  readonly token: string | undefined
  /** By conversation: what the client has seen. */
  readonly seen: ReadonlyMap<string, { readonly seq: number; readonly version: number | undefined }>
}

/** A hello's data, or the sentence that says what is wrong with it. */
export function parseHello({ tenantId, token, lastSeqs = {}, lastVersions = {} }: Heard['data']): Hello | string {
  if (typeof tenantId !== 'string' || tenantId === '' || tenantId.length > MAX_WORD) return 'tenantId names the tenant'
  if (token !== undefined && (typeof token !== 'string' || token.length > MAX_TOKEN)) return 'token is a string'
  if (!isNumbers(lastSeqs)) return `lastSeqs is {conversationId: number}, at most ${MAX_NAMED}`
  if (!isNumbers(lastVersions)) return `lastVersions is {conversationId: number}, at most ${MAX_NAMED}`
  const versions = new Map(Object.entries(lastVersions))
  const seen = new Map(Object.entries(lastSeqs).map(([id, seq]) => [id, { seq, version: versions.get(id) }]))
  return { tenantId, token, seen }
}

function isNumbers(value: unknown): value is Record<string, number> {
  if (!isFields(value)) return false
  const entries = Object.entries(value)
  return entries.length <= MAX_NAMED && entries.every(([id, number]) => CONVERSATION.test(id) && isCount(number))
}

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_NUMBER

/** The conversation that a frame of the client is about; undefined where it names none. */
export const conversationOf = ({ data }: Heard): string | undefined =>
  typeof data.conversationId === 'string' && CONVERSATION.test(data.conversationId) ? data.conversationId : undefined
