/** Words for questions and their types. */
import { fill, pickText, productLocales } from '../../public.ts'
import type { Question, QuestionType } from './questions.ts'
import type { FormTexts } from './texts.ts'

export const typeTitle = (c: FormTexts, type: QuestionType): string => (type === 'choices' ? c.choiceMany : c[type])
/** As visitors with the language read it. */
export const questionTitle = (c: FormTexts, { title, key }: Question, index: number, locale: string): string =>
  pickText(title, locale, productLocales.default) || key || fill(c.question, { number: index + 1 })
