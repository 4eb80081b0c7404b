import type { Command } from 'commander'
import { readVariable } from '../kernel/base/index.ts'
import { describeVariable, settingVariables } from './composition.ts'
import type { ExamineOptions, Named } from './doctor/examine.ts'
import { paint, printResult, table } from './shell.ts'

type Flags = Omit<ExamineOptions, 'file'> & { readonly json?: boolean }
type Env = Readonly<Record<string, string | undefined>>

export function doctorCommand(program: Command): void {
  program
    .command('doctor [recipe]')
    .description('check everything that a start needs, and the way to it: TLS, proxies, mail, disks, clocks')
    .option('--backups <folder>', 'folder of the archives of larder backup')
    .option('--dkim <selector>', 'selector of the DKIM key that signs mail')
    .option('--dns <server>', 'address of the name server to ask, instead of that of this machine')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, flags: Flags) => {
      const { examine } = await import('./doctor/examine.ts')
      const { json, ...options } = flags
      const findings = await examine(process.env, { file, ...options })
      const settings = shownSettings(process.env)
      if (json) printResult(JSON.stringify({ settings, findings }, null, 2))
      else printResult([settingsTable(settings), '', ...findings.map(line)].join('\n'))
      process.exitCode = findings.some(({ state }) => state === 'fail') ? 1 : 0
      // A check that ran out of time may still hold a connection.
      process.stdout.write('', () => process.exit())
    })
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const

function line({ state, what, fix }: Named): string {
  const sign = paint(COLORS[state], state.padEnd(5))
  return fix ? `${sign} ${what}\n      ${fix}` : `${sign} ${what}`
}

interface Shown {
  name: string
  value: string | null
  about: string
}

const shownSettings = (env: Env): Shown[] =>
  settingVariables.map(({ name, secret, ...variable }) => ({
    name,
    about: describeVariable(variable),
    value: (secret && readVariable(env, name) && '***') || (readVariable(env, name) ?? null),
  }))

const settingsTable = (settings: readonly Shown[]): string =>
  table(
    ['setting', 'value', 'description'],
    settings.map(({ name, value, about }) => [name, value ?? '–', about]),
  )
