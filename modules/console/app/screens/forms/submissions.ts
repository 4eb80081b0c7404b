import { type Api, type LocalText, languageStore, pickText, productLocales } from '../../public.ts'
import { type AnswerColumn, answerAt, answerColumns } from './answers.ts'
import type { FormTexts } from './texts.ts'

const translate = (text: LocalText): string => pickText(text, languageStore.get(), productLocales.default)

/** In the language of the console. */
export const answersOf = ({ schema, uiSchema }: Api.Form): AnswerColumn[] => answerColumns(schema, uiSchema, translate)

/** The answer in a column as text; empty without one. */
export const answerIn = (data: unknown, { path, textOf }: AnswerColumn, c: FormTexts): string =>
  answerText(answerAt(data, path), c, textOf)

function answerText(value: unknown, c: FormTexts, textOf: AnswerColumn['textOf']): string {
  const text = textOf(value)
  if (text) return text
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? c.yes : c.no
  if (Array.isArray(value)) return value.map(item => answerText(item, c, textOf)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const REASONS = ['honeypot', 'too_fast', 'forged_token', 'no_token', 'duplicate', 'manual'] as const
export const reasonText = (reason: string, c: FormTexts): string => {
  const known = REASONS.find(each => each === reason)
  return known ? c[known] : reason
}

/** The parameters of the path of a submission. */
export const pathOf = ({ formId, id }: Pick<Api.Submission, 'formId' | 'id'>) => ({ id: formId, sid: id })
