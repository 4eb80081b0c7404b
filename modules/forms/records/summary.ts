import { Nullable, named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'
import { AnyValue } from './form.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const ChoiceCount = named(
  'ChoiceCount',
  Type.Object({
    value: AnyValue<unknown>('As in the schema'),
    label: Type.String(),
    count: Count('Answers with this choice'),
  }),
)
const NumberRange = named(
  'NumberRange',
  Type.Object({ from: Type.Number(), to: Type.Number({ description: 'Exclusive' }), count: Count('Answers') }),
)
const NumberSummary = named(
  'NumberSummary',
  Type.Object({ min: Type.Number(), max: Type.Number(), mean: Type.Number(), ranges: Type.Array(NumberRange) }),
)
const DayCount = named(
  'DayCount',
  Type.Object({ date: Type.String({ format: 'date' }), count: Count('Without spam'), spam: Count('Spam') }),
)
const QuestionSummary = named(
  'QuestionSummary',
  Type.Object({
    pointer: Type.String({ description: 'JSON Pointer into the entry' }),
    label: Type.String(),
    kind: OneOf(['choice', 'number', 'text'], { description: 'Which of `choices` and `numbers` is set' }),
    answered: Count('Submissions with an answer'),
    choices: Nullable(
      Type.Array(ChoiceCount, {
        description: 'All choices of the form, and up to 20 others that earlier versions had',
      }),
    ),
    numbers: Nullable(NumberSummary),
  }),
)
export type QuestionSummary = Static<typeof QuestionSummary>
export const SubmissionSummary = named(
  'SubmissionSummary',
  Type.Object({
    total: Count('All submissions without spam'),
    spam: Count('Submissions marked as spam'),
    days: Type.Array(DayCount, { description: 'One entry for each day, UTC, oldest first' }),
    summarized: Count('Number of the newest submissions that `questions` counts, without spam; at most 5,000'),
    questions: Type.Array(QuestionSummary, { description: 'The first 50 questions of the current version' }),
  }),
)
export type SubmissionSummary = Static<typeof SubmissionSummary>
