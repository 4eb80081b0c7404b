/** `larder automation test` and `larder automation samples`. They connect to nothing. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import type { Ports } from '../kernel/index.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { paint, printResult } from './shell.ts'

interface Flags {
  recipe?: string
  json?: boolean
  event?: string
  type?: string
}
type Tools = Ports['automations']
type Trial = Awaited<ReturnType<Tools['test']>>

export function automationCommands(program: Command): void {
  const automation = program.command('automation').description('try out the automations of a recipe')
  automation
    .command('test <key>')
    .description('print what each step would do with a sample; do nothing; exit with 1 if a step would fail')
    .requiredOption('-e, --event <file>', 'JSON file with the sample, or - for standard input')
    .option('-r, --recipe <file>', 'recipe file')
    .option('--json', 'print JSON')
    .action(async (key: string, flags: Flags) => {
      const sample = await readSample(flags.event ?? '-')
      const trial = await withTools(flags.recipe, tools => tools.test(key, sample))
      printResult(flags.json ? JSON.stringify(trial, null, 2) : describe(trial))
      if (trial.steps.some(({ state }) => state === 'failed')) process.exitCode = 1
    })
  automation
    .command('samples <key>')
    .description('print a sample of what starts an automation, for the command test')
    .option('-t, --type <type>', 'type of the event, of an automation that starts with several')
    .option('-r, --recipe <file>', 'recipe file')
    .action(async (key: string, { recipe, type }: Flags) => {
      printResult(JSON.stringify(await withTools(recipe, tools => tools.sample(key, type)), null, 2))
    })
}

async function withTools<T>(recipe: string | undefined, use: (tools: Tools) => T | Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(recipe, settings), process.env)
  if (!checked.modules.some(({ key }) => key === 'automations'))
    throw new Error('The recipe has no automations. Add the line automations: {} under modules.')
  const [{ inspectRecipe }, { toolLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
  return await inspectRecipe({ checked, settings, log: toolLog(settings.logLevel) }, ports => use(ports.automations))
}

async function readSample(file: string): Promise<unknown> {
  const written =
    file === '-'
      ? await text(process.stdin)
      : await readFile(file, 'utf8').catch(cause => {
          throw new Error(`Can't read ${file}. To write it, run larder automation samples KEY > ${file}.`, { cause })
        })
  try {
    return JSON.parse(written)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${file === '-' ? 'Standard input' : file} is no JSON: ${reason}`, { cause })
  }
}

const SIGNS = { done: ['✓', 'green'], passed: ['–', 'gray'], failed: ['✗', 'red'] } as const

export function describe({ automation, starts, reason, steps }: Trial): string {
  if (!starts) return `${automation} doesn't start. ${reason}.`
  return [`${automation} starts. Nothing was done.`, ...steps.map(describeStep)].join('\n')
}

function describeStep({ position, name, action, state, input, output, detail }: Trial['steps'][number]): string {
  const [sign, color] = SIGNS[state]
  const ended = { done: '', passed: ' is skipped', failed: ' fails' }[state]
  return [
    `${paint(color, sign)} ${position + 1}. ${action}${ended}${detail === undefined ? '' : `: ${detail}`}`,
    ...(input === undefined ? [] : [indented(input, 5)]),
    ...(name === null || output === undefined ? [] : [`     $steps.${name}, assumed:`, indented(output, 7)]),
  ].join('\n')
}

const indented = (value: unknown, spaces: number): string =>
  stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map(line => ' '.repeat(spaces) + line)
    .join('\n')
