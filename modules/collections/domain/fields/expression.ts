/**
 * Expressions of computed fields and defaults: arithmetic, comparisons and a few functions over the fields of one row. They
 * are parsed to a tree, from which expression-sql.ts makes SQL, and which expression-values.ts evaluates. Pure.
 */

/** A `date` counts days since 1970, a `datetime` milliseconds since then, and a `duration` milliseconds, in UTC. */
export type ExpressionType = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'duration'
type ExpressionValue = string | number | boolean | null

export type BinaryOperator = (typeof PRECEDENCE)[number][number]
export type Expression =
  | { readonly kind: 'value'; readonly value: ExpressionValue }
  | { readonly kind: 'field'; readonly name: string; readonly offset: number }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: Expression; readonly offset: number }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
      readonly offset: number
    }
  | {
      readonly kind: 'choice'
      readonly when: Expression
      readonly then: Expression
      readonly otherwise: Expression
      readonly offset: number
    }
  | {
      readonly kind: 'call'
      readonly name: FunctionName
      readonly operands: readonly Expression[]
      readonly offset: number
    }

/** An expression can't be parsed, or its types don't fit. */
export class ExpressionError extends Error {
  /** Index of the character. */
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Characters. */
export const MAX_EXPRESSION_LENGTH = 1000
const MAX_DEPTH = 50

/** Weakest first. */
const PRECEDENCE = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']] as const
const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)|(\|\||&&|[=!<>]=|[-+*/%<>!?:(),]))/y

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end'
  readonly text: string
  readonly offset: number
}

/** @throws ExpressionError */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionError(
      `The expression is longer than ${MAX_EXPRESSION_LENGTH} characters`,
      MAX_EXPRESSION_LENGTH,
    )
  const parser = createParser(tokensOf(source))
  const expression = parser.choice(0)
  parser.expectEnd()
  return expression
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const end = source.trimEnd().length
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex
    const match = pattern.exec(source)
    if (!match) {
      const offset = start + (source.slice(start).length - source.slice(start).trimStart().length)
      throw new ExpressionError(`Unexpected character "${source[offset]}"`, offset)
    }
    const kinds = ['number', 'text', 'name', 'sign'] as const
    const index = match.slice(1).findIndex(part => part !== undefined)
    const text = match[index + 1] as string
    tokens.push({ kind: kinds[index] ?? 'sign', text, offset: pattern.lastIndex - text.length })
  }
  return [...tokens, { kind: 'end', text: '', offset: end }]
}

const LITERALS: Readonly<Record<string, ExpressionValue>> = { true: true, false: false, null: null }

function createParser(tokens: readonly Token[]) {
  let at = 0
  const peek = () => tokens[at] as Token
  const next = () => tokens[at++] as Token
  const accept = (...signs: readonly string[]) =>
    peek().kind === 'sign' && signs.includes(peek().text) ? next() : undefined
  function expect(sign: string): Token {
    const token = accept(sign)
    if (!token) throw unexpected(peek(), `expected "${sign}"`)
    return token
  }
  const unexpected = ({ kind, text, offset }: Token, expected: string) =>
    new ExpressionError(
      kind === 'end' ? `The expression ends early: ${expected}` : `Unexpected "${text}": ${expected}`,
      offset,
    )

  function choice(depth: number): Expression {
    if (depth > MAX_DEPTH)
      throw new ExpressionError(`The expression is nested deeper than ${MAX_DEPTH} levels`, peek().offset)
    const when = binary(0, depth + 1)
    const sign = accept('?')
    if (!sign) return when
    const then = choice(depth + 1)
    expect(':')
    return { kind: 'choice', when, then, otherwise: choice(depth + 1), offset: sign.offset }
  }
  function binary(level: number, depth: number): Expression {
    const operators = PRECEDENCE[level]
    if (!operators) return unary(depth)
    let left = binary(level + 1, depth)
    for (let sign = accept(...operators); sign; sign = accept(...operators))
      left = {
        kind: 'binary',
        operator: sign.text as BinaryOperator,
        left,
        right: binary(level + 1, depth),
        offset: sign.offset,
      }
    return left
  }
  function unary(depth: number): Expression {
    if (depth > MAX_DEPTH)
      throw new ExpressionError(`The expression is nested deeper than ${MAX_DEPTH} levels`, peek().offset)
    const sign = accept('-', '!')
    if (!sign) return primary(depth)
    return { kind: 'unary', operator: sign.text as '-' | '!', operand: unary(depth + 1), offset: sign.offset }
  }
  function primary(depth: number): Expression {
    if (accept('(')) {
      const inner = choice(depth + 1)
      expect(')')
      return inner
    }
    const token = next()
    if (token.kind === 'number') return { kind: 'value', value: Number(token.text) }
    if (token.kind === 'text') return { kind: 'value', value: token.text.slice(1, -1).replace(/\\(.)/g, '$1') }
    if (token.kind !== 'name') throw unexpected(token, 'expected a field, a number, a text or "("')
    if (Object.hasOwn(LITERALS, token.text)) return { kind: 'value', value: LITERALS[token.text] ?? null }
    return accept('(') ? call(token, depth) : { kind: 'field', name: token.text, offset: token.offset }
  }
  function call({ text, offset }: Token, depth: number): Expression {
    if (!Object.hasOwn(FUNCTIONS, text))
      throw new ExpressionError(
        `Unknown function "${text}"; functions are ${Object.keys(FUNCTIONS).join(', ')}`,
        offset,
      )
    const operands: Expression[] = []
    if (!accept(')')) {
      do operands.push(choice(depth + 1))
      while (accept(','))
      expect(')')
    }
    return { kind: 'call', name: text as FunctionName, operands, offset }
  }
  return {
    choice,
    expectEnd() {
      if (peek().kind !== 'end') throw unexpected(peek(), 'expected an operator')
    },
  }
}

export interface FunctionSpec {
  /** The types that each operand can have. */
  readonly takes: readonly (readonly ExpressionType[])[]
  /** How many of the last operands can be left out. */
  readonly optional?: number
  /** The last operand can be repeated. */
  readonly many?: boolean
  /** `same`: all operands have one type, which is that of the result. */
  readonly returns: ExpressionType | 'same' | ((operands: readonly (ExpressionType | undefined)[]) => ExpressionType)
  /** Its result depends on the time, so that only defaults can use it. */
  readonly ofNow?: boolean
}
const NUMBER = ['number'] as const
const TEXT = ['text'] as const
const TIMES = ['date', 'datetime'] as const
const ANY = ['text', 'number', 'boolean', 'date', 'datetime', 'duration'] as const
/** A duration of so many units, or how many units a duration has. */
const unit = {
  takes: [['number', 'duration']],
  returns: ([operand]: readonly (ExpressionType | undefined)[]) => (operand === 'duration' ? 'number' : 'duration'),
} as const satisfies FunctionSpec

export const FUNCTIONS = {
  abs: { takes: [NUMBER], returns: 'number' },
  ceil: { takes: [NUMBER], returns: 'number' },
  floor: { takes: [NUMBER], returns: 'number' },
  /** Half up. */
  round: { takes: [NUMBER], returns: 'number' },
  /** Ignores null. */
  min: { takes: [NUMBER], returns: 'number', many: true },
  /** Ignores null. */
  max: { takes: [NUMBER], returns: 'number', many: true },
  length: { takes: [TEXT], returns: 'number' },
  lower: { takes: [TEXT], returns: 'text' },
  upper: { takes: [TEXT], returns: 'text' },
  trim: { takes: [TEXT], returns: 'text' },
  /** The part with this number, counted from 1; from the end if it is negative. Empty if there is none. */
  split: { takes: [TEXT, TEXT, NUMBER], returns: 'text' },
  replace: { takes: [TEXT, TEXT, TEXT], returns: 'text' },
  /** From this character on, counted from 1, and at most so many of them. */
  substring: { takes: [TEXT, NUMBER, NUMBER], optional: 1, returns: 'text' },
  /** The texts with the first one between them. Ignores null. */
  join: { takes: [TEXT, TEXT], returns: 'text', many: true },
  text: { takes: [['number', 'date']], returns: 'text' },
  /** Null for a text that is no decimal number. */
  number: { takes: [TEXT], returns: 'number' },
  /** The day of a time, in UTC. */
  date: { takes: [['datetime']], returns: 'date' },
  year: { takes: [TIMES], returns: 'number' },
  month: { takes: [TIMES], returns: 'number' },
  day: { takes: [TIMES], returns: 'number' },
  days: unit,
  hours: unit,
  minutes: unit,
  /** The same day of a later month, or its last one. */
  addMonths: { takes: [['date'], NUMBER], returns: 'date' },
  today: { takes: [], returns: 'date', ofNow: true },
  now: { takes: [], returns: 'datetime', ofNow: true },
  /** The first operand that is not null. */
  coalesce: { takes: [ANY], returns: 'same', many: true },
} as const satisfies Readonly<Record<string, FunctionSpec>>
export type FunctionName = keyof typeof FUNCTIONS
