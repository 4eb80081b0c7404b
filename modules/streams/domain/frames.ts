/** Frames of the realtime socket, checked: `{type, id?, to?, from?, data}`. Pure. */
import { isFields } from 'larder/kernel'
import type { Role } from '../ports.ts'

/** What peers send each other through the server. */
const RELAYED = ['description', 'candidate', 'renegotiate'] as const
export type Relayed = (typeof RELAYED)[number]

export interface Frame {
  /** As it came, where its members may be passed on as they stand: then nothing in it is the client's to choose. */
  readonly text: string | undefined
  readonly type: string
  readonly id: string | undefined
  readonly to: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}
export interface Flaw {
  readonly code: 'bad_frame' | 'bad_data'
  readonly message: string
  readonly id: string | undefined
}

const MAX_WORD = 128
const NOTHING = Object.freeze({})

/** What no client of ours would send: not JSON, no object, no type. */
export function parseFrame(text: string): Frame | Flaw {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('a frame is a JSON object')
  const { type, id, to, data = NOTHING } = value as Record<string, unknown>
  if (typeof type !== 'string' || type.length > MAX_WORD) return bad('a frame has a type')
  if (id !== undefined && (typeof id !== 'string' || id.length > MAX_WORD)) return bad('id is a short string')
  if (to !== undefined && (typeof to !== 'string' || to.length > MAX_WORD)) return bad('to is a peer_id')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return bad('data is an object')
  return { text: isBare(value) ? text : undefined, type, id, to, data: data as Record<string, unknown> }
}

/** No member but those that a relayed frame keeps: above all no `from`, whatever way it was written. */
function isBare(value: object): boolean {
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

const bad = (message: string): Flaw => ({ code: 'bad_frame', message, id: undefined })
export const isFlaw = (frame: Frame | Flaw): frame is Flaw => 'code' in frame

export const isRelayed = (type: string): type is Relayed => (RELAYED as readonly string[]).includes(type)

const isWord = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && value.length <= MAX_WORD
const DESCRIPTIONS = ['offer', 'answer', 'pranswer', 'rollback']

/** What is wrong with the data of a relayed frame, as a sentence; undefined where nothing is. */
export function relayFlaw(type: Relayed, data: Frame['data']): string | undefined {
  if (type === 'renegotiate') return undefined
  if (!isWord(data.connection_id)) return 'connection_id names the connection'
  if (type === 'candidate') {
    const { candidate } = data
    return candidate === null || isFields(candidate) ? undefined : 'candidate is an RTCIceCandidateInit, or null'
  }
  const { description } = data
  if (!isFields(description)) return 'description is {type, sdp}'
  const { type: kind, sdp } = description
  if (typeof kind !== 'string' || !DESCRIPTIONS.includes(kind)) return 'description.type is offer or answer'
  return sdp === undefined || typeof sdp === 'string' ? undefined : 'description.sdp is a string'
}

export interface Hello {
  readonly token: string | undefined
  readonly resumeToken: string | undefined
  readonly role: Role | undefined
  /** Number of the last frame that the client has seen, of those that it resumes. */
  readonly lastSeq: number | undefined
}

const MAX_TOKEN = 512

/** A hello's data, or the sentence that says what is wrong with it. */
export function parseHello(data: Frame['data']): Hello | string {
  const { token, resume_token, role, last_seq } = data
  for (const [name, value] of Object.entries({ token, resume_token }))
    if (value !== undefined && (typeof value !== 'string' || value.length > MAX_TOKEN)) return `${name} is a string`
  if (role !== undefined && role !== 'publisher' && role !== 'viewer') return 'role is publisher or viewer'
  if (last_seq !== undefined && !(Number.isSafeInteger(last_seq) && Number(last_seq) >= 0))
    return 'last_seq is a number'
  return {
    token: token as string | undefined,
    resumeToken: resume_token as string | undefined,
    role,
    lastSeq: last_seq as number | undefined,
  }
}

/**
 * A frame from the server without its opening brace, so that a sequence number can be put before it without writing
 * the rest anew for each peer.
 */
export const tailOf = (type: string, data: unknown, more: { id?: string; from?: string; to?: string } = {}): string =>
  JSON.stringify({ type, ...more, data }).slice(1)

/** `from` is the server's word: whatever the client wrote there is not looked at. */
export function relayTail({ text, type, to, data }: Frame, from: string): string {
  if (text === undefined) return JSON.stringify({ type, from, to, data }).slice(1)
  return `"from":"${from}",${text.slice(text.indexOf('{') + 1)}`
}

/** The whole frame; without a number it is not part of what a resume replays. */
export const numbered = (seq: number, tail: string): string => `{"seq":${seq},${tail}`
export const plain = (tail: string): string => `{${tail}`
