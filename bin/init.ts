/** `larder init`: writes a repository for a product. */
import { basename, join, relative, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { STARTERS, type Starter, starterNames } from './init/starters.ts'
import { printInfo, printResult, showProgress } from './shell.ts'

interface Flags {
  readonly starter?: Starter
  readonly name?: string
  readonly larder?: string
  readonly install: boolean
  readonly yes?: boolean
}
interface Answers {
  readonly folder: string
  readonly name: string
  readonly starter: Starter
}

export function initCommand(program: Command): void {
  program
    .command('init [folder]')
    .description('write a repository for a product: recipe, test, container, continuous integration')
    .addOption(new Option('-s, --starter <starter>', 'what the recipe contains').choices(starterNames))
    .option('-n, --name <name>', 'display name of the product; by default from the folder')
    .option('--larder <package>', 'path or URL of the package of Larder, or its version; by default a copy of this one')
    .option('--no-install', 'do not run npm install')
    .option('-y, --yes', 'ask no questions')
    .action(init)
}

async function init(folder: string | undefined, flags: Flags): Promise<void> {
  const { assertEmpty, createRepository, installPackages } = await import('./init/create.ts')
  const asks = !flags.yes && process.stdin.isTTY === true && !process.env.CI
  const answers = asks ? await ask(folder, flags) : withDefaults(folder, flags)
  await assertEmpty(answers.folder)
  const shown = relative(process.cwd(), answers.folder) || '.'
  const progress = await showProgress('larder init')
  try {
    progress.step(`writing ${shown}`)
    await createRepository({ ...answers, larder: flags.larder })
    if (flags.install) {
      progress.step('installing packages')
      await installPackages(answers.folder, shown)
    }
    progress.done()
  } catch (error) {
    progress.failed()
    throw error
  }
  const steps = [...(shown === '.' ? [] : [`cd ${shown}`]), ...(flags.install ? [] : ['npm install']), 'npm run dev']
  printResult([`Created ${answers.name} in ${shown}. Next steps:`, ...steps.map(step => `  ${step}`)].join('\n'))
}

function withDefaults(folder = '.', { name, starter = 'empty' }: Flags): Answers {
  const path = resolve(folder)
  return { folder: path, name: name ?? titleOf(path), starter }
}

/** `Tool Shed` of `/home/ada/tool-shed`. */
function titleOf(folder: string): string {
  const words = basename(folder)
    .split(/[-_.\s]+/)
    .filter(Boolean)
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || 'Product'
}

async function ask(given: string | undefined, flags: Flags): Promise<Answers> {
  const { isCancel, select, text } = await import('@clack/prompts')
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new Error('canceled; nothing was written')
    return answer as Exclude<T, symbol>
  }
  const output = process.stderr
  const folder =
    given ??
    answered(await text({ message: 'Folder', placeholder: './my-product', defaultValue: 'my-product', output }))
  const standard = titleOf(join(process.cwd(), folder))
  const name =
    flags.name ??
    answered(await text({ message: 'Name of the product', placeholder: standard, defaultValue: standard, output }))
  const options = starterNames.map(value => ({ value, label: STARTERS[value].title, hint: STARTERS[value].about }))
  const starter = flags.starter ?? answered(await select({ message: 'Starter', options, output }))
  printInfo('')
  return { folder: resolve(folder), name, starter }
}
