/** The questions of a form that a summary counts, and what their counts mean. Pure. */

import type { Field, FieldGroup, FieldNode } from '../domain/field-model.ts'
import { displayValue } from '../domain/schema-resolution.ts'
import type { QuestionSummary } from '../records/summary.ts'

export interface Question {
  readonly pointer: string
  readonly label: string
  readonly path: readonly string[]
  /** `choices` are lists of choices. */
  readonly kind: 'choice' | 'choices' | 'number' | 'text'
  /** Whether its numbers are integers. */
  readonly whole: boolean
  readonly choices: Field['choices']
}
/** What the database counted for one question. */
export interface QuestionCounts {
  readonly answered?: number
  /** Serialized JSON values, most frequent first. */
  readonly choices?: readonly { readonly value: string; readonly count: number }[]
  readonly numbers?: {
    readonly min: number
    readonly max: number
    readonly mean: number
    readonly step: number
    /** Multiples of `step`. */
    readonly ranges: readonly { readonly index: number; readonly count: number }[]
  }
}

export const MAX_QUESTIONS = 50
const BOOLEANS = [true, false].map(value => ({ value, label: displayValue(value) }))

export const questionsOf = (model: FieldGroup): Question[] => fieldsOf(model, []).slice(0, MAX_QUESTIONS)

function fieldsOf(node: FieldNode, above: readonly string[]): Question[] {
  const path = node.pointer === '' ? [] : [...above, node.key]
  if (node.kind === 'group') return node.children.flatMap(child => fieldsOf(child, path))
  const { pointer, label, choices, valueFormat, attributes } = node
  const kind = valueFormat === 'boolean' ? 'choice' : valueFormat
  return [
    {
      pointer,
      label,
      path,
      kind: kind === 'choice' || kind === 'choices' || kind === 'number' ? kind : 'text',
      whole: attributes.step === '1',
      choices: valueFormat === 'boolean' ? BOOLEANS : choices,
    },
  ]
}

export function toQuestionSummary(question: Question, counts: QuestionCounts): QuestionSummary {
  const { pointer, label, kind } = question
  return {
    pointer,
    label,
    kind: kind === 'choices' ? 'choice' : kind,
    answered: counts.answered ?? 0,
    choices: kind === 'choice' || kind === 'choices' ? withAllChoices(question, counts.choices ?? []) : null,
    numbers: kind === 'number' && counts.numbers ? withAllRanges(counts.numbers) : null,
  }
}

function withAllChoices(
  { choices }: Question,
  counted: NonNullable<QuestionCounts['choices']>,
): NonNullable<QuestionSummary['choices']> {
  const left = new Map(counted.map(({ value, count }) => [value, count]))
  const known = choices.map(({ value, label }) => {
    const key = JSON.stringify(value)
    const count = left.get(key) ?? 0
    left.delete(key)
    return { value, label, count }
  })
  const others = [...left].map(([json, count]) => {
    const value: unknown = JSON.parse(json)
    return { value, label: displayValue(value), count }
  })
  return [...known, ...others]
}

/** Adds the ranges in which no number is. */
function withAllRanges({
  step,
  ranges,
  ...rest
}: NonNullable<QuestionCounts['numbers']>): NonNullable<QuestionSummary['numbers']> {
  const counts = new Map(ranges.map(({ index, count }) => [index, count]))
  const first = Math.min(...counts.keys())
  const length = Math.max(...counts.keys()) - first + 1
  return {
    ...rest,
    ranges: Array.from({ length }, (_, offset) => {
      const index = first + offset
      return { from: rounded(index * step), to: rounded((index + 1) * step), count: counts.get(index) ?? 0 }
    }),
  }
}

/** 0.3 instead of 0.30000000000000004. */
const rounded = (value: number): number => Number(value.toPrecision(12))
