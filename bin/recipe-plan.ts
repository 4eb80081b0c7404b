/** `larder recipe plan` and `apply`: what a changed recipe does to the database, told and then done. */

import type { RecipePlan } from '../kernel/runtime/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { withKernel } from './session.ts'
import { answer, oneLine, paint, showProgress, table } from './shell.ts'

/** Something would change: a script tells it from 0, nothing, and from 1, a failure. */
const CHANGES = 2

export async function plan(argument: string | undefined, json: boolean): Promise<void> {
  const planned = await look('larder recipe plan', argument)
  answer(json ? planAsJson(planned) : shownPlan(planned))
  if (planned.changes.length > 0) process.exitCode = CHANGES
}

export async function apply(argument: string | undefined, yes: boolean): Promise<void> {
  const planned = await look('larder recipe apply', argument)
  answer(shownPlan(planned))
  const breaking = planned.changes.filter(({ breaks }) => breaks !== undefined).length
  if (breaking > 0 && !yes && !(await agreed(breaking))) throw new Error('nothing was applied')
  await withKernel(
    'larder recipe apply',
    planned.checked.file,
    async (kernel, progress) => progress.done(`${kernel.place} is as the recipe says`),
    'migrate',
  )
}

async function look(title: string, argument: string | undefined): Promise<RecipePlan> {
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

/** Asks a person; throws where nobody is there to be asked. */
async function agreed(breaking: number): Promise<boolean> {
  const what = breaking === 1 ? 'One change breaks something' : `${breaking} changes break something`
  if (!process.stdin.isTTY || process.env.CI)
    throw new Error(`${what.toLowerCase()}: nothing was applied. larder recipe apply --yes does it all the same.`)
  const { confirm, isCancel } = await import('@clack/prompts')
  const said = await confirm({ message: `${what}. Apply the recipe?`, initialValue: false, output: process.stderr })
  return !isCancel(said) && said
}

export const planAsJson = ({ checked, place, changes, unknown }: RecipePlan): string =>
  JSON.stringify({ recipe: checked.file, database: place, changes, unknown }, null, 2)

const SIGNS = { add: ['+', 'green'], change: ['~', 'yellow'], remove: ['-', 'red'] } as const

/** A table of the changes; below it, what they break and what could not be looked at. */
export function shownPlan({ changes, unknown, place }: Pick<RecipePlan, 'changes' | 'unknown' | 'place'>): string {
  const rows = changes.map(({ change, of, subject, detail }) => [
    `${SIGNS[change][0]} ${change}`,
    of,
    subject,
    detail ?? '',
  ])
  const breaking = changes.filter(({ breaks }) => breaks !== undefined)
  return [
    ...(place === null ? ['There is no database yet: the first start makes it.'] : []),
    ...(rows.length > 0 ? [coloured(table(['change', 'of', 'what', 'detail'], rows), changes)] : []),
    ...(breaking.length > 0 ? ['', paint('bold', 'What that breaks')] : []),
    ...breaking.map(({ subject, breaks }) => `  ${paint('red', '!')} ${oneLine(`${subject}: ${breaks}`)}`),
    ...(unknown.length > 0 ? ['', paint('bold', 'What could not be told')] : []),
    ...unknown.map(line => `  ? ${oneLine(line)}`),
    ...(rows.length > 0 ? ['', summary(changes, breaking.length)] : ['Nothing changes.']),
  ].join('\n')
}

function coloured(text: string, changes: RecipePlan['changes']): string {
  const [head = '', ...lines] = text.split('\n')
  const painted = lines.map((line, index) => {
    const { change } = changes[index] as RecipePlan['changes'][number]
    return paint(SIGNS[change][1], line.slice(0, 1)) + line.slice(1)
  })
  return [head, ...painted].join('\n')
}

function summary(changes: RecipePlan['changes'], breaking: number): string {
  const count = (kind: string) => changes.filter(({ change }) => change === kind).length
  const told = `${count('add')} to add, ${count('change')} to change, ${count('remove')} to remove`
  return breaking === 0
    ? `${told}; nothing breaks.`
    : `${told}; ${breaking} ${breaking === 1 ? 'breaks' : 'break'} something.`
}
