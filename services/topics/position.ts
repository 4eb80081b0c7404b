/**
 * Positions of a client: a time, and the number of the last message from each sending process. Processes receive messages
 * of different senders in different orders, so one number can't describe what a client has received. Pure.
 */

export interface Position {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Process → number of its last message. */
  readonly heads: ReadonlyMap<string, number>
}

const MAX_HEADS = 16
export const MAX_POSITION_LENGTH = 512
const PATTERN = /^[0-9a-z]{1,11}(~[0-9a-z]{1,16}\.[0-9a-z]{1,11}){0,16}$/
const RADIX = 36

/** Keeps the last 16 heads: the messages of other processes may be delivered again. */
export const encodePosition = ({ at, heads }: Position): string =>
  [at.toString(RADIX), ...[...heads].slice(-MAX_HEADS).map(([node, head]) => `${node}.${head.toString(RADIX)}`)].join(
    '~',
  )

/** Undefined for a text that isn't a position of this kind. */
export function parsePosition(text: string): Position | undefined {
  if (!PATTERN.test(text)) return undefined
  const [at = '', ...heads] = text.split('~')
  return {
    at: Number.parseInt(at, RADIX),
    heads: new Map(
      heads.map(head => {
        const [node = '', number = ''] = head.split('.')
        return [node, Number.parseInt(number, RADIX)] as const
      }),
    ),
  }
}
