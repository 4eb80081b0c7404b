/** Statements and their values, encoded for the protocol, and the messages that execute them. */
import type { Step } from 'larder/kernel'
import { serialize } from 'pg-protocol'
import { type EncodedValue, encodeValue } from './pg-internals.ts'
import { cachedStatement, type Statement } from './statements.ts'

/** A statement with its values encoded for the protocol. */
export interface EncodedStatement {
  readonly statement: Statement
  readonly values: readonly EncodedValue[]
  /** Its Bind message, if it is sent again and again. */
  readonly message?: Buffer
}

/** Throws for values that cannot be encoded and for transaction control, before anything is sent. */
export const encodeStatement = ([text, values = []]: Step): EncodedStatement => ({
  statement: cachedStatement(text),
  values: encodeValues(values),
})

export const encodeValues = (values: readonly unknown[]): EncodedValue[] => values.map(value => encodeValue(value))

/** Encodes a statement that is sent again and again with the same values. It must have a name. */
export const encodeOnce = (statement: Statement, values: readonly EncodedValue[] = []): EncodedStatement => ({
  statement,
  values,
  message: bindMessage({ statement, values }),
})

export const DESCRIBE = serialize.describe({ type: 'P' })
export const EXECUTE = serialize.execute()
export const SYNC = serialize.sync()

export const bindMessage = ({ statement: { name }, values }: EncodedStatement): Buffer =>
  serialize.bind({ statement: name, values: values as EncodedValue[] })

/** Closes the statement first: an earlier batch that failed may or may not have prepared it. */
export function prepareMessages({ name, text }: Statement): Buffer[] {
  const parse = serialize.parse({ name, text })
  return name ? [serialize.close({ type: 'S', name }), parse] : [parse]
}
