/** `larder recipe plan` and `larder recipe apply`. */

import type { RecipePlan } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { withKernel } from './session.ts'
import { oneLine, paint, printResult, showProgress, table } from './shell.ts'

/** Lets a script distinguish pending changes from none (0) and from a failure (1). */
const CHANGES_PENDING_CODE = 2

export async function plan(argument: string | undefined, json: boolean): Promise<void> {
  const planned = await createPlan('larder recipe plan', argument)
  printResult(json ? planAsJson(planned) : formatPlan(planned))
  if (planned.changes.length > 0) process.exitCode = CHANGES_PENDING_CODE
}

export async function apply(argument: string | undefined, yes: boolean, given: readonly string[] = []): Promise<void> {
  const planned = await createPlan('larder recipe apply', argument)
  printResult(formatPlan(planned))
  const breaking = planned.changes.filter(({ breaks }) => breaks !== undefined).length
  if (breaking > 0 && !yes && !(await confirmBreaking(breaking))) throw new Error(CANCELED)
  const answers = await answersTo(planned, yes, given)
  await withKernel(
    'larder recipe apply',
    planned.checked.file,
    async (kernel, progress) => progress.done(`applied the recipe to ${kernel.place}`),
    'migrate',
    true,
    answers,
  )
}

async function createPlan(title: string, argument: string | undefined): Promise<RecipePlan> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(argument, settings), process.env)
  const progress = await showProgress(title)
  try {
    const [{ planRecipe }, { toolLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
    const planned = await planRecipe({ checked, settings, log: toolLog(settings.logLevel), onStep: progress.step })
    progress.done()
    return planned
  } catch (error) {
    progress.failed()
    throw error
  }
}

const CANCELED = 'canceled; no changes applied'

type Questions = NonNullable<RecipePlan['changes'][number]['asks']>[]

/** Asks what no option answers. Throws without a terminal. */
async function answersTo(
  { changes }: RecipePlan,
  yes: boolean,
  given: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const questions = changes.flatMap(({ asks }) => asks ?? [])
  const answers = readAnswers(questions, given)
  for (const { key, question, answers: choices } of questions) {
    if (answers[key] !== undefined) continue
    const [first] = choices
    if (yes && first) answers[key] = first.value
    else if (!process.stdin.isTTY || process.env.CI)
      throw new Error(
        `${question}: no changes applied. To apply, run larder recipe apply ${choices.map(({ value }) => `--answer ${key}=${value}`).join(', or ')}.`,
      )
    else {
      const { isCancel, select } = await import('@clack/prompts')
      const options = choices.map(({ value, title }) => ({ value, label: title }))
      const choice = await select({ message: question, options, output: process.stderr })
      if (isCancel(choice)) throw new Error(CANCELED)
      answers[key] = choice
    }
  }
  return answers
}

/** Throws for what answers no question. */
function readAnswers(questions: Questions, given: readonly string[]): Record<string, string> {
  const answers: Record<string, string> = {}
  for (const text of given) {
    const [key = '', value = ''] = text.split('=')
    const question = questions.find(each => each.key === key)
    if (!question) throw new Error(`The plan doesn't ask for ${key}. To see what it asks, run larder recipe plan.`)
    const values = question.answers.map(each => each.value)
    if (!values.includes(value)) throw new Error(`--answer ${key}= must be ${values.join(' or ')}.`)
    answers[key] = value
  }
  return answers
}

/** Throws without a terminal. */
async function confirmBreaking(breaking: number): Promise<boolean> {
  const what = breaking === 1 ? '1 breaking change' : `${breaking} breaking changes`
  if (!process.stdin.isTTY || process.env.CI)
    throw new Error(`${what}; no changes applied. To apply anyway, run larder recipe apply --yes.`)
  const { confirm, isCancel } = await import('@clack/prompts')
  const choice = await confirm({ message: `${what}. Apply the recipe?`, initialValue: false, output: process.stderr })
  return !isCancel(choice) && choice
}

export const planAsJson = ({ checked, place, changes, unknown, reminders }: RecipePlan): string =>
  JSON.stringify({ recipe: checked.file, database: place, changes, unknown, reminders }, null, 2)

const SIGNS = { add: ['+', 'green'], change: ['~', 'yellow'], remove: ['-', 'red'] } as const

/** Returns a table of the changes, followed by breaking changes and by what could not be checked. */
export function formatPlan({
  changes,
  unknown,
  reminders,
  place,
}: Pick<RecipePlan, 'changes' | 'unknown' | 'reminders' | 'place'>): string {
  const rows = changes.map(({ change, of, subject, detail }) => [
    `${SIGNS[change][0]} ${change}`,
    of,
    subject,
    detail ?? '',
  ])
  const breaking = changes.filter(({ breaks }) => breaks !== undefined)
  const questions = changes.flatMap(({ asks }) => asks ?? [])
  return [
    ...(place === null ? ['No database exists yet. The first start creates it.'] : []),
    ...(rows.length > 0 ? [colorSigns(table(['change', 'owner', 'item', 'detail'], rows), changes)] : []),
    ...(breaking.length > 0 ? ['', paint('bold', 'Breaking changes')] : []),
    ...breaking.map(({ subject, breaks }) => `  ${paint('red', '!')} ${oneLine(`${subject}: ${breaks}`)}`),
    ...(questions.length > 0 ? ['', paint('bold', 'To decide')] : []),
    ...questions.map(
      ({ key, question, answers }) =>
        `  ? ${oneLine(`${question}: ${answers.map(({ value, title }) => `${title} (${key}=${value})`).join(', or ')}`)}`,
    ),
    ...(unknown.length > 0 ? ['', paint('bold', 'Not checked')] : []),
    ...unknown.map(line => `  ? ${oneLine(line)}`),
    ...(reminders.length > 0 ? ['', paint('bold', 'Left to do')] : []),
    ...reminders.map(line => `  · ${oneLine(line)}`),
    ...(rows.length > 0 ? ['', summary(changes, breaking.length)] : ['No changes.']),
  ].join('\n')
}

function colorSigns(text: string, changes: RecipePlan['changes']): string {
  const [head = '', ...lines] = text.split('\n')
  const painted = lines.map((line, index) => {
    const { change } = changes[index] as RecipePlan['changes'][number]
    return paint(SIGNS[change][1], line.slice(0, 1)) + line.slice(1)
  })
  return [head, ...painted].join('\n')
}

function summary(changes: RecipePlan['changes'], breaking: number): string {
  const count = (kind: string) => changes.filter(({ change }) => change === kind).length
  const counts = `${count('add')} to add, ${count('change')} to change, ${count('remove')} to remove`
  return breaking === 0
    ? `${counts}. No breaking changes.`
    : `${counts}. ${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}.`
}
