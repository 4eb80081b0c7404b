/** Long answers of tools in parts that fit into the context of an assistant. Pure. */

/** Bytes of one answer, with its note. */
export const MAX_ANSWER_BYTES = 8 * 1024
/** Bytes that the note about the rest may have. */
const NOTE_BYTES = 400

export interface AnswerPage {
  readonly text: string
  /** Where the next part begins, and how to ask for less. Undefined for the last part. */
  readonly note?: string
}

/**
 * The part of a text that begins at `offset` and ends with the last whole line that fits.
 * @param offset characters: 0, or the one that an earlier note named.
 * @param narrow a sentence that names the arguments that shorten the answer.
 */
export function answerPage(text: string, offset: number, narrow?: string): AnswerPage {
  if (offset > 0 && offset >= text.length) return { text: '', note: `The answer has ${text.length} characters.` }
  const rest = text.slice(offset)
  if (Buffer.byteLength(rest) <= MAX_ANSWER_BYTES) return { text: rest }
  const part = partOf(rest)
  const next = offset + part.length
  const note = `Characters ${offset} to ${next} of ${text.length}. For the next part, repeat the call with offset: ${next}.`
  return { text: part, note: narrow === undefined ? note : `${note} ${narrow}` }
}

/** A line that is too long by itself is split between characters. */
function partOf(text: string): string {
  const fitting = Buffer.from(text.slice(0, MAX_ANSWER_BYTES)).subarray(0, MAX_ANSWER_BYTES - NOTE_BYTES)
  // Half a character at the end is decoded as a replacement character.
  const { length } = fitting.toString().replace(/\uFFFD$/, '')
  const lineEnd = text.lastIndexOf('\n', length - 1) + 1
  return text.slice(0, lineEnd || length)
}

/** JSON. A list has an entry per line, so that its parts end between entries. */
export function answerText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value, null, 2)
  return `[\n${value.map(entry => `  ${JSON.stringify(entry)}`).join(',\n')}\n]`
}
